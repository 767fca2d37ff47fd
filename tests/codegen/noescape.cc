// A local whose address goes to functions that do not keep it is its thread's own: nothing is checked where it is made,
// and the functions have a copy for such objects, in which what else they touch is checked as ever.
// RUN: %clangxx -target aarch64-linux-gnu -O2 -g -S -emit-llvm %s -o %t.ll
// RUN: FileCheck %s < %t.ll
// RUN: FileCheck --check-prefix=KEPT %s < %t.ll
// RUN: FileCheck --check-prefix=DEEP %s < %t.ll
// RUN: FileCheck --check-prefix=COPY %s < %t.ll
// RUN: FileCheck --check-prefix=LENT %s < %t.ll
// RUN: FileCheck --check-prefix=RECORD %s < %t.ll
// RUN: FileCheck --check-prefix=LABELS %s < %t.ll
struct Tour { long cities[8], length, cost; };
struct Map { long distance[8]; };
extern Tour* best;

// What was called with shared objects, too, is there with all its checks.
// CHECK-LABEL: define {{.*}} @_Z6extendRK3MapR4Tourl(
// CHECK:       isosan.shadow
// CHECK:       call {{.*}} @isosan.{{.*}}write.8(
__attribute__((noinline)) void extend(const Map& map, Tour& tour, long left) {
  tour.cost += map.distance[left & 7];
  tour.length++;
  if (left > 0) extend(map, tour, left - 1);
}

// LENT-LABEL: define {{.*}} @_Z4lentRK3Map(
// LENT-NOT:   {{isosan.shadow|__isosan_write_range}}
// LENT:       {{call|invoke}} {{.*}} @_Z6extendRK3MapR4Tourl.private(
// LENT-NOT:   isosan.shadow
// LENT:       ret i64
long lent(const Map& map) {
  Tour tour = {};
  extend(map, tour, 5);
  return tour.cost;
}

// One whose address is kept somewhere is nobody's own.
__attribute__((noinline)) void keep(Tour& tour, long cost) {
  tour.cost = cost;
  best = &tour;
}
// KEPT-LABEL: define {{.*}} @_Z4keptRK3Mapl(
// KEPT:       call {{.*}} @__isosan_write_range(
// KEPT:       {{call|invoke}} {{.*}} @_Z6extendRK3MapR4Tourl(
// KEPT:       {{call|invoke}} {{.*}} @_Z4keepR4Tourl(
// KEPT:       isosan.shadow
// KEPT:       ret i64
long kept(const Map& map, long cost) {
  Tour tour = {};
  extend(map, tour, 5);
  keep(tour, cost);
  return tour.cost;
}

// Not even through several calls, or by an unknown one.
void unknown(Tour&);
__attribute__((noinline)) void pass_on(Tour& tour, long left) {
  if (left == 0) return unknown(tour);
  pass_on(tour, left - 1);
}
// DEEP-LABEL: define {{.*}} @_Z4deepl(
// DEEP:       call {{.*}} @__isosan_write_range(
// DEEP:       {{call|invoke}} {{.*}} @_Z7pass_onR4Tourl(
// DEEP:       isosan.shadow
// DEEP:       ret i64
long deep(long left) {
  Tour tour = {};
  pass_on(tour, left);
  return tour.cost;
}

// The copy calls itself, and checks the map only.
// COPY-LABEL: define internal void @_Z6extendRK3MapR4Tourl.private(
// COPY:       isosan.shadow = 
// COPY-NOT:   isosan.shadow = 
// COPY-NOT:   @isosan.{{.*}}write
// COPY:       {{call|invoke}} {{.*}} @_Z6extendRK3MapR4Tourl.private(
// COPY-NOT:   isosan.shadow = 
// COPY:       ret void

// It is the same function to whoever reads a report.
// RECORD:     @__isosan_function._Z6extendRK3MapR4Tourl =
// RECORD-NOT: @__isosan_function._Z6extendRK3MapR4Tourl.private

// A function that jumps to labels of a table is not copied: they are its own.
// LABELS-LABEL: define {{.*}} @_Z6jumpedPKcl(
// LABELS:       {{call|invoke}} {{.*}} @_Z8dispatchPKcRl(
__attribute__((noinline)) void dispatch(const char* code, long& sum) {
  static void* const labels[] = {&&stop, &&add, &&twice};
  goto* labels[*code++ - '0'];
add:
  sum += 1;
  goto* labels[*code++ - '0'];
twice:
  sum *= 2;
  goto* labels[*code++ - '0'];
stop:;
}
long jumped(const char* code, long from) {
  long sum = from;
  dispatch(code, sum);
  return sum;
}
