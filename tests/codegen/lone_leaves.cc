// A leaf that only reads is made twice. Where the thread is at rest (offset 288) the copy runs: it asks whose a word is and marks
// nothing; another's, or somebody who asks (offset 88), leads to where the leaf begins. So does what came to the runtime in between.
// RUN: %clangxx -target aarch64-linux-gnu -g -O2 -S -emit-llvm %s -o - | FileCheck %s
struct Row {
  int from, to;
  long* values;
  const int* columns;
  long times(const long* x) const;
  long both() const;
  void swap();
};
void other();

// CHECK-LABEL: define {{.*}} @_ZNK3Row4bothEv(
// CHECK:       [[AT:%.*]] = getelementptr inbounds i8, ptr {{.*}}, i64 288
// CHECK:       %isosan.rests = load i64, ptr [[AT]]
// CHECK:       br i1 {{.*}}, label %isosan.lone, label %[[LEAF:[^,]*]]
// CHECK:       [[LEAF]]:
// CHECK:       call preserve_allcc void @isosan.read
// CHECK:       {{^}}isosan.lone:
// CHECK:       %isosan.owner{{.*}} = load i64
// CHECK:       %isosan.poll{{.*}} = load atomic i32, ptr {{.*}} monotonic
// CHECK:       br i1 {{.*}}, label %{{.*}}, label %[[LEAF]]
// CHECK:       [[WORD:%isosan.word.*]] = load atomic i64, ptr {{.*}} monotonic
// CHECK:       xor i64 [[WORD]], 4611686018427387904
// CHECK:       br i1 {{.*}}, label %{{.*}}, label %[[LEAF]]
// CHECK-NOT:   call
// CHECK-NOT:   store
// CHECK:       %isosan.rests{{.*}} = load atomic i64, ptr {{.*}} monotonic
// CHECK:       br i1 {{.*}}, label %{{.*}}, label %[[LEAF]]
// CHECK-NOT:   call
// CHECK-NOT:   store
// CHECK:       }
long Row::both() const { return values[0] + columns[0]; }

// Loops ask at their ends.
// CHECK-LABEL: define {{.*}} @_ZNK3Row5timesEPKl(
// CHECK:       br i1 {{.*}}, label %isosan.lone, label %[[LEAF:[^,]*]]
// CHECK:       {{^}}isosan.lone:
// CHECK:       %isosan.poll{{.*}} = load atomic i32, ptr {{.*}} monotonic
// CHECK:       br i1 {{.*}}, label %{{.*}}, label %[[LEAF]]
// CHECK:       }
long Row::times(const long* x) const {
  long sum = 0;
  for (int i = from; i < to; ++i) sum += values[i] * x[columns[i]];
  return sum;
}

// It writes, or calls, or its host is likely a region itself.
// CHECK-LABEL: define {{.*}} @_ZN3Row4swapEv(
// CHECK-NOT:   i64 288
// CHECK:       ret
void Row::swap() {
  const int before = from;
  from = to, to = before;
}
// CHECK-LABEL: define {{.*}} @_Z4hostRK3Row(
// CHECK-NOT:   i64 288
// CHECK:       ret
long host(const Row& row) {
  other();
  return row.both();
}
