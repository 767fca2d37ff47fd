// Accesses that may go on where the one before left off, in loops that call nobody and whose end nobody foretells: their misses go
// to the claim functions that gather walks.
// RUN: %clang -target aarch64-linux-gnu -O2 -fno-vectorize -fno-unroll-loops -S -emit-llvm %s -o - | FileCheck %s

// CHECK-LABEL: @length(
// CHECK-NOT:   @isosan.read.
// CHECK:       call preserve_allcc void @isosan.walk.read.1(
// CHECK:       ret
long length(const char* text) {
  const char* end = text;
  while (*end) ++end;
  return end - text;
}

// What was read chooses the way and is not part of it.
// CHECK-LABEL: @merge(
// CHECK:       call preserve_allcc void @isosan.walk.read.4(
// CHECK:       call preserve_allcc void @isosan.walk.read.4(
// CHECK-NOT:   @isosan.read.4(
// CHECK:       ret
void merge(int* to, const int* a, const int* b, int n) {
  for (int i = 0; i < n; ++i) to[i] = *a <= *b ? *a++ : *b++;
}

// By index, and from node to node: as ever.
// CHECK-LABEL: @gather(
// CHECK-NOT:   @isosan.walk.read.8(
// CHECK:       call preserve_allcc void @isosan.read.8(
// CHECK:       ret
double gather(const double* x, const int* index, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += x[index[i]];
  return sum;
}

// CHECK-LABEL: @last(
// CHECK-NOT:   @isosan.walk
// CHECK:       call preserve_allcc void @isosan.read.8(
// CHECK:       ret
struct node {
  struct node* next;
};
struct node* last(struct node* at) {
  while (at->next) at = at->next;
  return at;
}

// A call may be of a region, whose edges end every walk.
// CHECK-LABEL: @tell_each(
// CHECK-NOT:   @isosan.walk
// CHECK:       call preserve_allcc void @isosan.read.1(
// CHECK:       ret
void tell(char);
void tell_each(const char* text) {
  while (*text) tell(*text++);
}

// The loop that is taken where there are few rounds.
// CHECK-LABEL: @sum(
// CHECK:       call void @__isosan_read_range(
// CHECK-NOT:   @isosan.walk
// CHECK:       ret
long sum(const long* x, int n) {
  long sum = 0;
  for (int i = 0; i < n; ++i) sum += x[i];
  return sum;
}

// Where walks are not opened: as ever.
// CHECK-LABEL: define {{.*}}@isosan.anew.read.1(
// CHECK:       getelementptr inbounds i8, ptr {{.*}}, i64 280
// CHECK-DAG:   call preserve_mostcc void @__isosan_read_anew(
// CHECK-DAG:   call preserve_allcc void @isosan.read.1(

// The function itself: the entry of the site; what goes on there stores its word without a fence before it.
// CHECK-LABEL: define {{.*}}@isosan.walk.read.1(
// CHECK:       and i64 {{.*}}, 63
// CHECK:       icmp eq i64
// CHECK:       call preserve_allcc void @isosan.anew.read.1(
// CHECK-NOT:   release
// CHECK:       cmpxchg ptr {{.*}} acq_rel monotonic
// CHECK:       store i32
// CHECK-NEXT:  fence syncscope("singlethread") release
// CHECK:       store i64
// CHECK-LABEL: {{^}}}
