#include <dlfcn.h>
#include <stdio.h>

int main(int argc, char** argv) {
  void* library = argc > 1 ? dlopen(argv[1], RTLD_NOW) : 0;
  if (library == 0) return 1;
  int (*plugin)(int*) = (int (*)(int*))dlsym(library, "plugin");
  int value = 41;
  printf("plugin gives %d\n", plugin(&value));
  return 0;
}
