// memcmp stays a call, which the runtime sees: unfolded into loads by the code generator it would not be.
// RUN: %clang -target aarch64-linux-gnu -O2 -S %s -o - | FileCheck %s

// CHECK-LABEL: same:
// CHECK:       bl {{memcmp|bcmp}}
int same(const char* a, const char* b) { return __builtin_memcmp(a, b, 16) == 0; }
