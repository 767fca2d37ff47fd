// A method whose inlined callees are leaves is a leaf itself, so a counted loop around it is told as a whole wherever none
// of the three is logged. The function that is compiled keeps its edge: a thread's first edge is taken for its entry.
// RUN: %clangxx -target aarch64-linux-gnu -O2 -g -fno-vectorize -fno-slp-vectorize -fno-unroll-loops -S -emit-llvm %s -o - | FileCheck %s
struct Vec {
  double x, y, z;
  Vec minus(const Vec& o) const { return {x - o.x, y - o.y, z - o.z}; }
  void add(const Vec& o) { x += o.x, y += o.y, z += o.z; }
};

struct Body {
  Vec place, speed;
  void pull(const Vec& centre) { speed.add(centre.minus(place)); }
};

void other();

// CHECK-LABEL: define {{.*}}@_Z8pull_all
// CHECK:       void @_Z5otherv()
// CHECK-COUNT-3: icmp ult i8 %isosan.flags{{.*}}, 32
// CHECK-NOT:   @isosan.enter(
// CHECK:       call void @__isosan_read_range(ptr {{.*}}%bodies,
// CHECK:       %isosan.region_depth{{.*}} = load i32
// CHECK:       @isosan.enter(ptr {{.*}}@__isosan_function._ZN4Body4pullERK3Vec,
// CHECK:       %isosan.region_depth{{.*}} = load i32
// CHECK:       @isosan.enter(ptr {{.*}}@__isosan_function._ZNK3Vec5minusERKS_,
void pull_all(Body* bodies, long n, const Vec& centre) {
  other();
  for (long i = 0; i < n; ++i) bodies[i].pull(centre);
}

// CHECK-LABEL: define {{.*}}@_Z11thread_body
// CHECK-NOT:   %isosan.region_depth{{.*}} = load i32
// CHECK:       call preserve_allcc void @isosan.enter(ptr {{.*}}@__isosan_function._Z11thread_bodyR4BodyRK3Vec,
// CHECK:       %isosan.region_depth{{.*}} = load i32
// CHECK:       call preserve_allcc void @isosan.enter(ptr {{.*}}@__isosan_function._ZN4Body4pullERK3Vec,
void thread_body(Body& b, const Vec& centre) { b.pull(centre); }
