// memcpy, memmove and memset are ranges; a copy reads before it writes. A local that does not escape is
// no side of it.
// RUN: %clang -target aarch64-linux-gnu -O2 -S -emit-llvm %s -o - | FileCheck %s
typedef __SIZE_TYPE__ size_t;

// CHECK-LABEL: @copy(
// CHECK:       call void @__isosan_read_range(ptr {{.*}}%from, i64 {{.*}}%n, ptr
// CHECK:       call void @__isosan_write_range(ptr {{.*}}%to, i64 {{.*}}%n, ptr
// CHECK:       call void @llvm.memcpy
void copy(char* to, const char* from, size_t n) { __builtin_memcpy(to, from, n); }

// CHECK-LABEL: @clear(
// CHECK:       call void @__isosan_write_range(ptr {{.*}}%to, i64 {{.*}}%n, ptr
// CHECK:       call void @llvm.memset
void clear(char* to, size_t n) { __builtin_memset(to, 0, n); }

// CHECK-LABEL: @fetch(
// CHECK:       call void @__isosan_read_range(ptr {{.*}}%from, i64 100, ptr
// CHECK-NOT:   call void @__isosan_write_range
// CHECK:       ret
int fetch(const char* from, int i) {
  char local[100];
  __builtin_memcpy(local, from, 100);
  return local[i];
}
