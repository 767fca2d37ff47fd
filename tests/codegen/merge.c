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

// In full mode, where the tag never hits, each member has its own check, and what was read comes from either.
// CHECK-LABEL: @both(
// CHECK:       %isosan.full{{.*}} = icmp eq i64 %isosan.tag
// CHECK:       call {{.*}}void @__isosan_read(ptr {{.*}}, i64 8, ptr
// CHECK-NEXT:  load volatile double
// CHECK:       call {{.*}}void @__isosan_read(ptr {{.*}}, i64 8, ptr
// CHECK-NEXT:  load volatile double
// CHECK:       call preserve_allcc void @isosan.read.16(
// CHECK:       phi double
// CHECK:       phi double
// CHECK:       ret double
double both(const struct Vec* a) { return a->x - a->y; }

// CHECK-LABEL: @set(
// CHECK:       call {{.*}}void @__isosan_write(ptr %a, i64 8, ptr
// CHECK-NEXT:  store volatile double %x, ptr %a
// CHECK:       call {{.*}}void @__isosan_write(ptr {{.*}}, i64 8, ptr
// CHECK-NEXT:  store volatile double %y
// CHECK:       call preserve_allcc void @isosan.write.16(
// CHECK:       ret void
void set(struct Vec* a, double x, double y) { a->x = x, a->y = y; }
