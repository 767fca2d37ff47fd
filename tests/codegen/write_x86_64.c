// The inline check of an 8-byte write on x86-64: one xor into the shadow, one load, one xor, one compare.
// RUN: %clang -target x86_64-linux-gnu -O2 -S %s -o - | FileCheck %s
void store8(long* p) { *p = 1; }

// CHECK-LABEL: store8:
// CHECK:       movq __isosan_self@GOTTPOFF(%rip)
// CHECK:       movabsq $70368744177664, [[SHADOW:%r[a-z0-9]+]]
// CHECK-NEXT:  xorq %rdi, [[SHADOW]]
// CHECK-NEXT:  movq ([[SHADOW]]), [[WORD:%r[a-z0-9]+]]
// CHECK:       xorq
// CHECK-NEXT:  cmpq $256, [[DIFF:%r[a-z0-9]+]]
// CHECK-NEXT:  jae [[MISS:.LBB[0-9_]+]]
// CHECK-NOT:   j
// CHECK:       movq $1, (%rdi)
// CHECK:       retq
// CHECK:       [[MISS]]:
// CHECK:       callq isosan.write.8
// CHECK-LABEL: isosan.transfer.write.8:
// CHECK:       cmpxchgq
// CHECK-LABEL: isosan.slow.write.8:
// CHECK:       callq *__isosan_write@GOTPCREL(%rip)
// CHECK-LABEL: isosan.write.8:
// CHECK:       48([[SELF:%r[a-z0-9]+]])
// CHECK:       jne [[SLOW:.LBB[0-9_]+]]
// CHECK:       je [[FULL:.L[A-Z0-9_]+]]
// CHECK-NOT:   call
// CHECK:       retq
// CHECK:       [[SLOW]]:
// CHECK:       callq isosan.transfer.write.8
