// longjmp leaves no exits: the depth before setjmp is kept in memory and restored behind it.
// RUN: %clang -target aarch64-linux-gnu -O2 -S -emit-llvm %s -o - | FileCheck %s
typedef long jmp_buf[64];
int _setjmp(jmp_buf) __attribute__((returns_twice));
void work(void);

// CHECK-LABEL: @protect(
// CHECK:       %[[DEPTH:.*]] = {{.*}}call i64 @__isosan_call_depth()
// CHECK:       store volatile i64 %[[DEPTH]], ptr %[[SLOT:.*]],
// CHECK:       call i32 @_setjmp(
// CHECK:       %[[BACK:.*]] = load volatile i64, ptr %[[SLOT]],
// CHECK:       call void @__isosan_unwind_to(i64 %[[BACK]])
int protect(jmp_buf buffer) {
  if (_setjmp(buffer) != 0) return 1;
  work();
  return 0;
}
