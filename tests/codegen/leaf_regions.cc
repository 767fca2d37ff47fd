// Small methods that were inlined: a region with one access left has no edges; one that calls nobody is
// logged only outside other regions (region_depth at offset 92), and its exit asks whether its entry was.
// RUN: %clangxx -target aarch64-linux-gnu -g -O2 -S -emit-llvm %s -o - | FileCheck %s
struct Vec {
  double x, y, z;
  double dot(const Vec& o) const { return x * o.x + y * o.y + z * o.z; }
  Vec operator-(const Vec& o) const { return {x - o.x, y - o.y, z - o.z}; }
  double first() const { return x * 2 + 1; }
};
void other();

// All in registers: no edges of dot and operator- but the host's own.
// CHECK-LABEL: define {{.*}} @_Z5localddd(
// CHECK-NOT:   @isosan.enter(
// CHECK:       ret
double local(double a, double b, double c) { return (Vec{a, b, c} - Vec{1, 2, 3}).dot(Vec{c, b, a}); }

// CHECK-LABEL: define {{.*}} @_Z6sharedRK3VecS1_(
// CHECK:       %isosan.region_depth{{.*}} = load i32, ptr
// CHECK-DAG:   call preserve_allcc void @isosan.enter(ptr {{.*}}@__isosan_function._ZNK3Vec3dotERKS_, ptr {{.*}}%a)
// CHECK-DAG:   call preserve_allcc void @isosan.exit(ptr {{.*}}@__isosan_function._ZNK3Vec3dotERKS_)
double shared(const Vec& a, const Vec& b) {
  other();
  return a.dot(b);
}

// CHECK-LABEL: define {{.*}} @_Z3oneRK3Vec(
// CHECK-NOT:   @__isosan_function._ZNK3Vec5firstEv
// CHECK:       ret
double one(const Vec& a) {
  other();
  return a.first();
}
