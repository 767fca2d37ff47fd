// In a function with many accesses the checks that no loop repeats are calls; those in its loops, and all of a small function, are inline.
// RUN: %clang -target aarch64-linux-gnu -O2 -S -emit-llvm %s -o - | FileCheck %s
// RUN: %clang -target x86_64-linux-gnu -O2 -S -emit-llvm %s -o - | FileCheck %s
#define EIGHT(at, to) to[at] = at; to[at + 2] = at; to[at + 4] = at; to[at + 6] = at; to[at + 8] = at; to[at + 10] = at; to[at + 12] = at; to[at + 14] = at;

struct Node {
  struct Node* next;
  int value;
};

int large(short* to, struct Node* node) {
  EIGHT(0, to) EIGHT(20, to) EIGHT(40, to) EIGHT(60, to) EIGHT(80, to)
  int sum = 0;
  for (; node; node = node->next) sum += node->value;
  return sum;
}
int small(struct Node* node) { return node->value; }

// CHECK-LABEL: @large(
// CHECK-NOT:   isosan.missed
// CHECK:       call preserve_allcc void @isosan.check.write.2(ptr {{.*}}, ptr {{.*}}@isosan.sites{{.*}})
// CHECK-NEXT:  store i16 0
// CHECK:       br i1 %isosan.missed
// CHECK:       call preserve_allcc void @isosan.read.4(
// CHECK-LABEL: @small(
// CHECK:       br i1 %isosan.missed
// CHECK:       call preserve_allcc void @isosan.read.4(

// CHECK-LABEL: define linkonce_odr hidden preserve_allcc void @isosan.check.write.2(ptr %0, ptr %1)
// CHECK:       br i1 %isosan.missed
// CHECK:       call preserve_allcc void @isosan.write.2(ptr {{.*}}%0, ptr {{.*}}%1
// CHECK:       ret void
