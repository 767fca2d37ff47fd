// A function that only reads what is shared, writes only to its own locals, and calls only such functions and libm has a copy without
// edges and checks' marks (NAME.lone). It asks for it first where the thread is at rest (offset 288), and goes on itself if the
// thread is not at rest any more behind that.
// RUN: %clangxx -target aarch64-linux-gnu -g -O2 -S -emit-llvm %s -o - | FileCheck %s
extern "C" double sin(double) noexcept;
void other();
struct Tree {
  Tree *left, *right;
  double value;
  [[gnu::noinline]] double sum(int depth) const;
  [[gnu::noinline]] double count();
  [[gnu::noinline]] double seen() const;
  [[gnu::noinline]] double told() const;
};

// CHECK-LABEL: define {{.*}} @_ZNK4Tree3sumEi(
// CHECK:       %isosan.rests = load i64
// CHECK:       {{^}}isosan.lone:
// CHECK:       [[SUM:%.*]] = {{.*}}call {{.*}}double @_ZNK4Tree3sumEi.lone(
// CHECK:       [[STILL:%isosan.rests.*]] = load i64
// CHECK:       icmp eq i64 [[STILL]], 0
// CHECK:       call void @__isosan_function_enter(
double Tree::sum(int depth) const {
  if (depth == 0) return sin(value);
  return left->sum(depth - 1) + right->sum(depth - 1);
}

// It writes; it calls one that does; it calls one that is not known.
// CHECK-LABEL: define {{.*}} @_ZN4Tree5countEv(
// CHECK-NOT:   .lone(
// CHECK:       ret
double Tree::count() {
  value += 1;
  return left == nullptr ? 0 : left->count() + right->count();
}
// CHECK-LABEL: define {{.*}} @_ZNK4Tree4seenEv(
// CHECK-NOT:   .lone(
// CHECK:       ret
double Tree::seen() const { return value + left->count(); }
// CHECK-LABEL: define {{.*}} @_ZNK4Tree4toldEv(
// CHECK-NOT:   .lone(
// CHECK:       ret
double Tree::told() const {
  other();
  return value + left->value;
}

// The copy: asks whose the words are, calls itself, and returns at once if it may not go on.
// CHECK-LABEL: define internal {{.*}} @_ZNK4Tree3sumEi.lone(
// CHECK-NOT:   __isosan_function_e
// CHECK-NOT:   @isosan.
// CHECK:       load atomic i32, ptr {{.*}} monotonic
// CHECK:       %isosan.word{{.*}} = load atomic i64, ptr {{.*}} monotonic
// CHECK:       call {{.*}}double @_ZNK4Tree3sumEi.lone(
// CHECK:       %isosan.rests{{.*}} = load atomic i64, ptr {{.*}} monotonic
// CHECK:       store i64 0, ptr
// CHECK-NOT:   __isosan_function_e
// CHECK:       }
