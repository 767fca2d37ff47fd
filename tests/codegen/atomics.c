// An atomic operation runs between two calls; its kind and order are told as they turned out.
// Kinds: 2 load, 3 store, 4 read-modify-write. Orders: 0 relaxed, 2 acquire, 3 release, 5 seq_cst.
// RUN: %clang -target aarch64-linux-gnu -O2 -S -emit-llvm %s -o - | FileCheck %s
typedef _Atomic(int) atomic_int;

// CHECK-LABEL: @load(
// CHECK:       call void @__isosan_atomic_begin(ptr {{.*}}, i64 4, i32 0)
// CHECK-NEXT:  load atomic i32, ptr {{.*}} acquire
// CHECK-NEXT:  call void @__isosan_atomic_end(ptr {{.*}}, i64 4, i32 2, i32 2, ptr
int load(atomic_int* p) { return __c11_atomic_load(p, __ATOMIC_ACQUIRE); }

// CHECK-LABEL: @store(
// CHECK:       call void @__isosan_atomic_begin(ptr {{.*}}, i64 4, i32 1)
// CHECK-NEXT:  store atomic i32 {{.*}} release
// CHECK-NEXT:  call void @__isosan_atomic_end(ptr {{.*}}, i64 4, i32 3, i32 3, ptr
void store(atomic_int* p) { __c11_atomic_store(p, 1, __ATOMIC_RELEASE); }

// Beside the order, 32: a step by one; 16: it stored what it had read; 64: the program uses that.
// CHECK-LABEL: @add(
// CHECK:       call void @__isosan_atomic_begin(ptr {{.*}}, i64 4, i32 1)
// CHECK-NEXT:  atomicrmw add
// CHECK-NEXT:  call void @__isosan_atomic_end(ptr {{.*}}, i64 4, i32 4, i32 32, ptr
void add(atomic_int* p) { __c11_atomic_fetch_add(p, 1, __ATOMIC_RELAXED); }

// CHECK-LABEL: @test_and_set(
// CHECK:       [[OLD:%.*]] = atomicrmw xchg
// CHECK-NEXT:  [[SAME:%.*]] = icmp eq i32 [[OLD]], 1
// CHECK-NEXT:  [[ORDER:%.*]] = select i1 [[SAME]], i32 82, i32 66
// CHECK-NEXT:  call void @__isosan_atomic_end(ptr {{.*}}, i64 4, i32 4, i32 [[ORDER]], ptr
int test_and_set(atomic_int* p) { return __c11_atomic_exchange(p, 1, __ATOMIC_ACQUIRE); }

// Beside the order, 8: a compare-exchange.
// CHECK-LABEL: @exchange(
// CHECK:       call void @__isosan_atomic_begin(ptr {{.*}}, i64 4, i32 1)
// CHECK-NEXT:  cmpxchg ptr
// CHECK:       select i1 %{{.*}}, i32 4, i32 2
// CHECK:       select i1 %{{.*}}, i32 13, i32 8
// CHECK:       call void @__isosan_atomic_end(
int exchange(atomic_int* p, int expected) {
  return __c11_atomic_compare_exchange_strong(p, &expected, 1, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED);
}

// CHECK-LABEL: @fence(
// CHECK:       call void @__isosan_fence(i32 5, ptr
// CHECK-NEXT:  fence seq_cst
void fence(void) { __c11_atomic_thread_fence(__ATOMIC_SEQ_CST); }

// CHECK-LABEL: @signal_fence(
// CHECK-NOT:   call void @__isosan_fence
// CHECK:       ret void
void signal_fence(void) { __c11_atomic_signal_fence(__ATOMIC_SEQ_CST); }
