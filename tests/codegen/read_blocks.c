// Reads of one base that leave no gap, with stores between that may alias: where the check of the first misses, all are claimed as
// one block if the inline path may append; the others keep their checks.
// RUN: %clang -target aarch64-linux-gnu -O2 -fno-slp-vectorize -S -emit-llvm %s -o - | FileCheck %s

// CHECK-LABEL: @mix(
// CHECK:       %isosan.missed{{.*}} = icmp
// CHECK:       %isosan.owner = load i64
// CHECK:       call preserve_allcc void @isosan.read.block(ptr {{.*}}%keys, i64 16, ptr {{.*}}@isosan.sites
// CHECK-NOT:   @isosan.read.block
// CHECK:       ret void
void mix(unsigned* left, const unsigned* keys) {
  for (int i = 0; i < 4; ++i) *left = (*left ^ keys[i]) * 31;
}

// Backwards: the block begins before the first.
// CHECK-LABEL: @unmix(
// CHECK:       getelementptr {{.*}}i8, ptr %keys, i64
// CHECK:       call preserve_allcc void @isosan.read.block(ptr {{.*}}%keys, i64 16, ptr {{.*}}@isosan.sites
// CHECK:       ret void
void unmix(unsigned* left, const unsigned* keys) {
  for (int i = 3; i >= 0; --i) *left = (*left ^ keys[i]) * 31;
}

// A gap, and a call between: none.
// CHECK-LABEL: @apart(
// CHECK-NOT:   @isosan.read.block
// CHECK:       ret void
void apart(unsigned* left, const unsigned* keys) {
  *left ^= keys[0], *left *= keys[2], *left ^= keys[4], *left *= keys[6], *left ^= keys[8];
}

// CHECK-LABEL: @across(
// CHECK-NOT:   @isosan.read.block
// CHECK:       ret void
void other(void);
void across(unsigned* left, const unsigned* keys) {
  *left ^= keys[0], *left *= keys[1];
  other();
  *left ^= keys[2], *left *= keys[3];
}
