// The inline check of an 8-byte write on aarch64: eor, load, eor, compare; a hit falls through to the
// store. A miss calls the module's own function: own, older epoch is a log unit, the position and the
// new word with release, without a call and without a frame. So is the transfer of a word whose epoch is
// covered, which takes it by compare and swap; the rest saves registers and calls.
// RUN: %clang -target aarch64-linux-gnu -O2 -S %s -o - | FileCheck %s
void store8(long* p) { *p = 1; }

// CHECK-LABEL: store8:
// CHECK:       mrs [[TP:x[0-9]+]], TPIDR_EL0
// CHECK:       eor [[SHADOW:x[0-9]+]], x0, #0x400000000000
// CHECK:       ldr [[TAG:x[0-9]+]], [{{x[0-9]+}}, #40]
// CHECK:       ldr [[WORD:x[0-9]+]], {{\[}}[[SHADOW]]]
// CHECK:       eor [[DIFF:x[0-9]+]], [[WORD]], [[TAG]]
// CHECK-NEXT:  cmp [[DIFF]], #256
// CHECK-NEXT:  b.hs [[MISS:.LBB[0-9_]+]]
// CHECK-NOT:   b
// CHECK:       str {{x[0-9]+}}, [{{x[0-9]+}}]
// CHECK:       ret
// CHECK:       [[MISS]]:
// CHECK:       bl isosan.write.8
// CHECK-LABEL: isosan.transfer.write.8:
// CHECK-NOT:   [sp
// CHECK:       ldr {{w[0-9]+}}, [{{x[0-9]+}}, #92]
// CHECK-NOT:   [sp
// CHECK:       ldaxr
// CHECK:       stlxr
// CHECK-NOT:   bl
// CHECK:       prfm pstl1keep
// CHECK:       stp
// CHECK:       ret
// CHECK:       b isosan.slow.write.8
// CHECK-LABEL: isosan.write.8:
// CHECK-NOT:   [sp
// CHECK:       ldp {{x[0-9]+}}, {{x[0-9]+}}, [[[SELF:x[0-9]+]], #40]
// CHECK:       b.ne [[SLOW:.LBB[0-9_]+]]
// CHECK:       ldr [[RUNTIME:x[0-9]+]], {{\[}}[[SELF]], #96]
// CHECK:       ldr [[LOG:x[0-9]+]], {{\[}}[[RUNTIME]]]
// CHECK:       ldr [[POSITION:x[0-9]+]], {{\[}}[[LOG]]]
// CHECK:       ldr [[LIMIT:x[0-9]+]], {{\[}}[[LOG]], #8]
// CHECK:       cmp [[POSITION]], [[LIMIT]]
// CHECK:       b.eq [[FULL:.L[A-Z0-9_]+]]
// CHECK-NOT:   bl
// CHECK-NOT:   [sp
// CHECK:       prfm pstl1keep
// CHECK:       stp
// CHECK:       str {{x[0-9]+}}, {{\[}}[[LOG]]]
// CHECK:       stlr
// CHECK:       ret
// CHECK:       [[SLOW]]:
// CHECK-NEXT:  b isosan.transfer.write.8
