// Entry and exit of a region candidate test its flag byte; every way out has an exit, also by unwinding
// and where the function was inlined. Trivial leaves have none.
// RUN: %clangxx -target aarch64-linux-gnu -O2 -S -emit-llvm %s -o - | FileCheck %s
// RUN: %clangxx -target aarch64-linux-gnu -O0 -S -emit-llvm %s -o - | FileCheck %s --check-prefix=O0
void other();
int shared;

// CHECK-LABEL: define {{.*}} @_Z5outerv(
// CHECK:       load i8, ptr getelementptr inbounds (i8, ptr @__isosan_function._Z5outerv, i64 20)
// CHECK:       call preserve_allcc void @isosan.enter(ptr {{.*}}@__isosan_function._Z5outerv, ptr null)
// CHECK:       call preserve_allcc void @isosan.enter(ptr {{.*}}@__isosan_function._ZN1S6updateEv, ptr
// CHECK:       invoke void @_Z5otherv()
// CHECK:       landingpad
// CHECK-NEXT:    cleanup
// CHECK:       call preserve_allcc void @isosan.exit(ptr {{.*}}@__isosan_function._ZN1S6updateEv)
// CHECK:       call preserve_allcc void @isosan.exit(ptr {{.*}}@__isosan_function._Z5outerv)
// CHECK:       resume
// CHECK:       call preserve_allcc void @isosan.exit(ptr {{.*}}@__isosan_function._ZN1S6updateEv)
// CHECK:       call preserve_allcc void @isosan.exit(ptr {{.*}}@__isosan_function._Z5outerv)
// CHECK:       ret
// O0-LABEL:    define {{.*}} @_Z5outerv(
// O0:          call preserve_allcc void @isosan.enter(ptr @__isosan_function._Z5outerv, ptr null)
// O0:          resume
struct S {
  int a, b;
  void update() {
    a++;
    other();
    b++;
  }
  int get() const { return a; }
  void set(int v) { a = v; }
} object;
void outer() { object.update(); }

// CHECK-LABEL: define {{.*}} @_Z6leavesv(
// CHECK-NOT:   @__isosan_function._ZNK1S3getEv
// CHECK-NOT:   @__isosan_function._ZN1S3setEi
// CHECK:       ret
int leaves() {
  object.set(1);
  return object.get();
}

// A lost update in three instructions is no trivial leaf.
// CHECK-LABEL: define {{.*}} @_Z9incrementv(
// CHECK:       call preserve_allcc void @isosan.enter(
// CHECK:       ret
void increment() { shared++; }
