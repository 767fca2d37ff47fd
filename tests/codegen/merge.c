// Neighbouring 8-byte members of one object are one check; a store that may alias keeps them apart.
// RUN: %clang -target aarch64-linux-gnu -O2 -fno-slp-vectorize -S -emit-llvm %s -o - | FileCheck %s
struct Vec { double x, y, z; };

// CHECK-LABEL: @dot(
// CHECK:       call preserve_allcc void @isosan.read.24(ptr {{.*}}%a, ptr
// CHECK:       load double, ptr %a
// CHECK:       load double
// CHECK:       load double
// CHECK:       call preserve_allcc void @isosan.read.24(ptr {{.*}}%b, ptr
// CHECK-NOT:   @isosan.read.8
// CHECK:       ret double
double dot(const struct Vec* a, const struct Vec* b) { return a->x * b->x + a->y * b->y + a->z * b->z; }

// CHECK-LABEL: @add(
// CHECK:       call preserve_allcc void @isosan.read.24(ptr {{.*}}%a, ptr
// CHECK:       call preserve_allcc void @isosan.write.24(ptr {{.*}}%a, ptr
// CHECK:       store double
// CHECK:       store double
// CHECK:       store double
// CHECK:       ret void
void add(struct Vec* a, double x) { a->x += x, a->y += x, a->z += x; }

// CHECK-LABEL: @aliased(
// CHECK:       @isosan.read.8(
// CHECK:       store double
// CHECK:       @isosan.read.8(
// CHECK:       ret double
double aliased(const struct Vec* a, double* p) {
  double x = a->x;
  *p = 1;
  return x + a->y;
}

// CHECK-LABEL: @across(
// CHECK:       @isosan.read.8(
// CHECK:       @other(
// CHECK:       @isosan.read.8(
// CHECK:       ret double
void other(void);
double across(const struct Vec* a) {
  double x = a->x;
  other();
  return x + a->y;
}
