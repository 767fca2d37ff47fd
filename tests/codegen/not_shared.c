// Nothing that no other thread can see is checked: locals that do not escape, constants, at any level.
// RUN: %clang -target aarch64-linux-gnu -O0 -S -emit-llvm %s -o - | FileCheck %s
// RUN: %clang -target aarch64-linux-gnu -O2 -S -emit-llvm %s -o - | FileCheck %s
static const int kTable[4] = {1, 2, 3, 5};
struct Pair { long a, b; };

// CHECK-LABEL: @locals(
// CHECK-NOT:   isosan.shadow
// CHECK-NOT:   @isosan.read
// CHECK-NOT:   @isosan.write
// CHECK:       ret
int locals(int n) {
  volatile int x = n;
  struct Pair p = {n, n + 1};
  struct Pair q = p;
  long buffer[8];
  for (int i = 0; i < 8; i++) buffer[i] = i * n;
  return x + (int)q.b + (int)buffer[n & 7] + kTable[n & 3];
}

// CHECK-LABEL: @escapes(
// CHECK:       call {{.*}} @publish(
// CHECK:       isosan.shadow
void publish(int*);
int escapes(void) {
  int x = 1;
  publish(&x);
  return x;
}
