// An inlined member function is told with its object also where that was made in another block: a local object of the caller.
// RUN: %clangxx -g -O1 -S -emit-llvm %s -o - | FileCheck %s
void look(void*);

class Shelf {
 public:
  [[gnu::always_inline]] void add(int n) {
    ++count_;
    look(this);
    total_ += n;
  }

 private:
  int count_ = 0, total_ = 0;
};

// CHECK-LABEL: define {{.*}} @_Z4filli(
// CHECK: %[[SHELF:.*]] = alloca %class.Shelf
// CHECK: call {{.*}}@isosan.enter(ptr {{.*}}@__isosan_function._ZN5Shelf3addEi, ptr {{.*}}%[[SHELF]])
void fill(int n) {
  Shelf shelf;
  while (n-- > 0) look(&n);
  shelf.add(n);
}
