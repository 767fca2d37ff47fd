// A program that maps memory until it gets no more is refused at some time, natively and here, and goes on.
// RUN: %cc %s -o %t
// RUN: %isosan run --analysis fasttrack -- %t 2>&1 | FileCheck %s
// CHECK: refused: Cannot allocate memory
// CHECK-NEXT: a smaller one is there
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

static void* block(size_t size) {
  return mmap(0, size, PROT_READ | PROT_WRITE, MAP_ANONYMOUS | MAP_PRIVATE | MAP_NORESERVE, -1, 0);
}

int main(void) {
  volatile char* last = block(1 << 20);
  while (block((size_t)64 << 30) != MAP_FAILED) {
  }
  fprintf(stderr, "refused: %s\n", strerror(errno));
  *last = 1;
  if (*last == 1 && block(1 << 16) != MAP_FAILED) fprintf(stderr, "a smaller one is there\n");
  return 0;
}
