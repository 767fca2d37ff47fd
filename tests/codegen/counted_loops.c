// A counted loop is made twice: the copy has one claim before it for each walk, no checks of walking accesses and no poll.
// RUN: %clang -target aarch64-linux-gnu -O2 -fno-vectorize -fno-unroll-loops -S -emit-llvm %s -o - | FileCheck %s

// CHECK-LABEL: @sum(
// CHECK:       %isosan.whole
// CHECK:       call void @__isosan_read_range(ptr {{.*}}%p, i64 %{{.*}}, ptr nonnull @isosan.sites
// CHECK-NOT:   isosan
// CHECK:       load i32, ptr %{{.*}}, !nosanitize
// CHECK-NOT:   isosan
// CHECK:       br i1 %{{.*}}, !nosanitize
// CHECK:       call preserve_allcc void @isosan.read.4(
// CHECK:       @__isosan_poll(
int sum(const int* p, int n) {
  int s = 0;
  for (int i = 0; i < n; ++i) s += p[i];
  return s;
}

// Three walks of one base leave no gap: one range. Others are strided, reads before writes.
// CHECK-LABEL: @relax(
// CHECK:       call void @__isosan_read_strided(ptr %{{.*}}, i64 %isosan.rounds, i64 16, i64 8, ptr
// CHECK-NEXT:  call void @__isosan_read_range(ptr {{.*}}%here, i64 %{{.*}}, ptr
// CHECK-NEXT:  call void @__isosan_write_strided(ptr %{{.*}}, i64 %isosan.rounds, i64 16, i64 8, ptr
void relax(const double* above, double* here, int n) {
  for (int j = 1; j < n - 1; j += 2) here[j] = above[j] + here[j - 1] + here[j + 1] + here[j];
}

// Backwards is the same range; read and then written is claimed at once.
// CHECK-LABEL: @half(
// CHECK-NOT:   __isosan_read_range
// CHECK:       call void @__isosan_update_range(ptr %{{.*}}, i64 %{{.*}}, ptr {{.*}}@isosan.sites{{.*}}, ptr {{.*}}@isosan.sites
// CHECK-NOT:   __isosan_write_range
void half(double* p, long n) {
  while (n-- > 0) p[n] *= 0.5;
}

// CHECK-LABEL: @half_of_each_second(
// CHECK:       call void @__isosan_update_strided(ptr {{.*}}%p, i64 %n, i64 16, i64 8, ptr
void half_of_each_second(double* p, long n) {
  for (long i = 0; i < n; ++i) p[2 * i] *= 0.5;
}

// What does not walk is checked as ever.
// CHECK-LABEL: @gather(
// CHECK:       call void @__isosan_read_range(ptr {{.*}}%c, i64
// CHECK:       call preserve_allcc void @isosan.read.8(
double gather(const double* x, const int* c, long n) {
  double s = 0;
  for (long i = 0; i < n; ++i) s += x[c[i]];
  return s;
}

// A loop that may end early, or that calls, knows nothing beforehand; one that is short does not need it.
// CHECK-LABEL: @find(
// CHECK-NOT:   __isosan_read_range
int find(const int* p, int n) {
  for (int i = 0; i < n; ++i)
    if (p[i] == 3) return i;
  return -1;
}

// CHECK-LABEL: @visit(
// CHECK-NOT:   __isosan_read_range
void other(int);
void visit(const int* p, int n) {
  for (int i = 0; i < n; ++i) other(p[i]);
}

// CHECK-LABEL: @maybe(
// CHECK:       call void @__isosan_read_range(ptr {{.*}}%p, i64
// CHECK-NOT:   __isosan_write
// CHECK:       call preserve_allcc void @isosan.walk.write.4(
void maybe(const int* p, int* q, int n) {
  for (int i = 0; i < n; ++i)
    if (p[i] > 0) q[i] = 1;
}
