// A counted loop around leaves (functions that call nobody): its copy has no edges of theirs and is taken only where
// they would not be logged. What stays where it is is checked once, before the loop; libm is no call.
// RUN: %clang -target aarch64-linux-gnu -O2 -g -fno-vectorize -fno-unroll-loops -S -emit-llvm %s -o - | FileCheck %s
extern "C" double hypot(double, double) noexcept;

struct Vec {
  double x, y, z;
  Vec minus(const Vec& o) const { return {x - o.x, y - o.y, z - o.z}; }
  double dot(const Vec& o) const { return x * o.x + y * o.y + z * o.z; }
};

struct Scene {
  void distances(const Vec* centres, long n, const Vec& from, double* out) const;
};

// CHECK-LABEL: define {{.*}}@_ZNK5Scene9distances
// CHECK:       icmp ult i8 %isosan.flags{{.*}}, 32
// CHECK:       call void @__isosan_read_range(ptr {{.*}}%centres,
// CHECK:       call preserve_allcc void @isosan.read.24(ptr {{.*}}%from,
// CHECK:       call void @__isosan_write_range(ptr {{.*}}%out,
// CHECK-NOT:   __isosan_
// CHECK:       call double @hypot(
// CHECK-NOT:   __isosan_
// CHECK:       br i1 %{{.*}}, !nosanitize
void Scene::distances(const Vec* centres, long n, const Vec& from, double* out) const {
  for (long i = 0; i < n; ++i) {
    const Vec to = centres[i].minus(from);
    out[i] = hypot(to.dot(to), 1);
  }
}

struct Cell {
  double value, weight;
  void add(double v, double w) { value += v, weight += w; }
};

struct Grid {
  void spread(const double* amounts, long n, Cell* cells) const;
};

// What the function itself reads in every round, before it calls a leaf, is told before the loop wherever it runs; the edges
// of the leaf stay in the copy.
// CHECK-LABEL: define {{.*}}@_ZNK4Grid6spread
// CHECK-NOT:   icmp ult i8 %isosan.flags{{.*}}, 32
// CHECK:       call void @__isosan_read_range(ptr {{.*}}%amounts,
// CHECK-NOT:   ret void
// CHECK:       call preserve_allcc void @isosan.enter(
// CHECK:       call preserve_allcc void @isosan.enter(
void Grid::spread(const double* amounts, long n, Cell* cells) const {
  for (long i = 0; i < n; ++i) {
    if (amounts[i] > 1) cells[static_cast<long>(amounts[i])].add(amounts[i], 1);
  }
}
