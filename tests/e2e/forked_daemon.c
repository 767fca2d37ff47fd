// A program that goes on in a forked child has shown nothing: the line says why, and what to do.
// RUN: %cc %s -o %t
// RUN: %exits 68 %isosan run -- %t 2>&1 | FileCheck %s
// CHECK: isosan: '{{.*}}' went on in a child made by fork(), which is not watched: run it in the foreground, not as a daemon
#include <unistd.h>

int main(void) {
  if (fork() != 0) _exit(0);
  return 0;
}
