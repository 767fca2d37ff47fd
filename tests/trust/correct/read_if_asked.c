// A thread reads a variable only if it is asked to, and nobody asks while another writes it. A compiler may load it all the same.
#include <pthread.h>

static int value;

__attribute__((noinline)) static int value_if(int asked) {
  if (asked) return value;
  return 0;
}

static void* reader(void* asked) { return (void*)(long)value_if(*(int*)asked); }

int main(void) {
  pthread_t thread;
  void* seen;
  static int no = 0;
  pthread_create(&thread, 0, reader, &no);
  value = 1;
  pthread_join(thread, &seen);
  return seen != 0;
}
