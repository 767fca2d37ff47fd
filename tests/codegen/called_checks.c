// Checks that no loop repeats are calls; those in loops, and all of a very small function, are inline.
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

// Members that are checked together: where the tag never hits, each is checked by itself in place of the call.
struct Pair { struct Pair *left, *right; };
void merged(short* to, struct Pair* pair, struct Pair* left, struct Pair* right) {
  EIGHT(0, to)
  pair->left = left;
  pair->right = right;
}
// CHECK-LABEL: @merged(
// CHECK:       %isosan.full = icmp eq i64 %isosan.tag
// CHECK-DAG:   call preserve_mostcc void @__isosan_write(ptr {{.*}}, i64 8, ptr
// CHECK-DAG:   call preserve_allcc void @isosan.check.write.16(
// CHECK:       ret void

// CHECK-LABEL: define linkonce_odr hidden preserve_allcc void @isosan.check.write.2(ptr %0, ptr %1)
// CHECK:       br i1 %isosan.missed
// CHECK:       call preserve_allcc void @isosan.write.2(ptr {{.*}}%0, ptr {{.*}}%1
// CHECK:       ret void
