#include <dlfcn.h>
#include <stdio.h>

#ifdef LIBRARY
int main(void) {
  void* library = dlopen(LIBRARY, RTLD_NOW);
  if (library == NULL) return 1;
  int (*count_twice)(void) = (int (*)(void))dlsym(library, "count_twice");
  printf("counted %d\n", count_twice());
  return 0;
}
#else
int count_twice(void);
int main(void) {
  printf("counted %d\n", count_twice());
  return 0;
}
#endif
