// Counted loops through gcc's plugin: made twice, and in the one that the runtime chooses the calls stand before the loop.
// REQUIRES: gcc-plugin
// RUN: %gcc -O2 -fno-tree-vectorize -fdump-tree-dse3=%t %s -S -o /dev/null
// RUN: FileCheck %s < %t

// CHECK-LABEL: ;; Function axpy
// CHECK:       [[WHOLE:_[0-9]+]] = __isosan_whole_loop ([[ROUNDS:_[0-9]+]]);
// CHECK-NEXT:  if ([[WHOLE]] != 0)
// CHECK-DAG:   __isosan_loop_reads ({{.*}}, [[ROUNDS]], 8, 8);
// CHECK-DAG:   __isosan_loop_reads ({{.*}}, [[ROUNDS]], 8, 8);
// CHECK-DAG:   __isosan_loop_writes ({{.*}}, [[ROUNDS]], 8, 8);
// CHECK:       __tsan_read8
void axpy(double* y, const double* x, double a, int n) {
  for (int i = 0; i < n; ++i) y[i] += a * x[i];
}

// Down, in columns, and what stays where it is.
// CHECK-LABEL: ;; Function column
// CHECK-DAG:   __isosan_loop_reads ({{.*}}, {{.*}}, {{_[0-9]+}}, 4);
// CHECK-DAG:   __isosan_loop_writes ({{.*}}, 1, 4, 4);
void column(float* sum, const float* m, long width, int n) {
  for (int i = n - 1; i >= 0; --i) *sum += m[i * width];
}

// Looked at in some rounds only: its call stays.
// CHECK-LABEL: ;; Function some
// CHECK:       __isosan_loop_reads
// CHECK-NOT:   __isosan_loop_writes
// CHECK:       __tsan_write4
void some(const int* p, int* q, int n) {
  for (int i = 0; i < n; ++i)
    if (p[i] > 0) q[i] = 1;
}

// That there is a round at all was asked in other words: it may turn out to be one.
// CHECK-LABEL: ;; Function bump
// CHECK:       [[SOME:_[0-9]+]] = {{.*}} ? {{.*}} : {{.*}};
// CHECK-NEXT:  {{_[0-9]+}} = __isosan_whole_loop ([[SOME]]);
// CHECK:       __isosan_loop_writes ({{.*}}, [[SOME]], 8, 8);
struct range {
  double *begin, *end;
};
void bump(const struct range* r) {
  for (unsigned long i = 0; i < (unsigned long)(r->end - r->begin); ++i) r->begin[i] += 1;
}

// By index.
// CHECK-LABEL: ;; Function gather
// CHECK:       __isosan_loop_reads ({{.*}}, 4, 4);
// CHECK-NOT:   __isosan_loop_reads
// CHECK:       __tsan_read8
double gather(const double* x, const int* index, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += x[index[i]];
  return sum;
}

// Three rounds, a call (though it is const), another way out, a volatile: none. Arithmetic is no call.
// CHECK-LABEL: ;; Function few
// CHECK-NOT:   __isosan
// CHECK-LABEL: ;; Function visit
// CHECK-NOT:   __isosan
// CHECK-LABEL: ;; Function mapped
// CHECK-NOT:   __isosan
// CHECK-LABEL: ;; Function magnitudes
// CHECK:       __isosan_whole_loop
// CHECK-LABEL: ;; Function find
// CHECK-NOT:   __isosan
// CHECK-LABEL: ;; Function wait_each
// CHECK-NOT:   __isosan
void other(int);
void few(int* p) {
#pragma GCC unroll 0
  for (int i = 0; i < 3; ++i) p[i] += 1;
}
void visit(const int* p, int n) {
  for (int i = 0; i < n; ++i) other(p[i]);
}
__attribute__((const)) int image(int);
void mapped(int* p, int n) {
  for (int i = 0; i < n; ++i) p[i] = image(p[i]);
}
void magnitudes(double* p, int n) {
  for (int i = 0; i < n; ++i) p[i] = __builtin_copysign(p[i], 1.0);
}
int find(const int* p, int n) {
  for (int i = 0; i < n; ++i)
    if (p[i] == 7) return i;
  return n;
}
int wait_each(volatile int* flags, int n) {
  int sum = 0;
  for (int i = 0; i < n; ++i) sum += flags[i];
  return sum;
}
