// C++20 synchronization is one event per call (kinds: 18 notify, 19 arrive, 20 depart, 21 post, 22 wait), and
// what libstdc++ does inside is ignored.
// RUN: %clangxx -g -fstandalone-debug -O2 -S -emit-llvm %s -o - | FileCheck %s
// RUN: %clangxx -g -fstandalone-debug -O0 -S -emit-llvm %s -o - | FileCheck %s
#include <atomic>
#include <barrier>
#include <future>
#include <latch>
#include <semaphore>

// CHECK-LABEL: define {{.*}} @_Z10count_downRSt5latch(
// CHECK:       call void @__isosan_sync(i32 19, ptr {{.*}}, i32 0, i64 0, ptr {{.*}}@isosan.sites
// CHECK-NEXT:  call void @__isosan_ignore_begin()
// CHECK:       call void @__isosan_ignore_end()
void count_down(std::latch& l) { l.count_down(); }

// CHECK-LABEL: define {{.*}} @_Z4waitRSt5latch(
// CHECK:       call void @__isosan_ignore_begin()
// CHECK:       call void @__isosan_ignore_end()
// CHECK-NEXT:  call void @__isosan_sync(i32 20,
void wait(std::latch& l) { l.wait(); }

// CHECK-LABEL: define {{.*}} @_Z4takeRSt18counting_semaphoreILl4EE(
// CHECK:       call void @__isosan_ignore_end()
// CHECK:       br i1
// CHECK:       call void @__isosan_sync(i32 22,
bool take(std::counting_semaphore<4>& s) { return s.try_acquire(); }

// CHECK-LABEL: define {{.*}} @_Z4giveRSt18counting_semaphoreILl4EE(
// CHECK:       call void @__isosan_sync(i32 21,
void give(std::counting_semaphore<4>& s) { s.release(); }

// CHECK-LABEL: define {{.*}} @_Z5awaitRSt6atomicIiE(
// CHECK:       call void @__isosan_ignore_end()
// CHECK:       call void @__isosan_atomic_begin(
// CHECK-NEXT:  load atomic i32, {{.*}} acquire
// CHECK:       call void @__isosan_atomic_end(
void await(std::atomic<int>& a) { a.wait(0, std::memory_order_acquire); }

// The generation of a barrier is its phase, read before the arrival.
// CHECK-LABEL: define {{.*}} @_Z6arriveRSt7barrierISt18__empty_completionE(
// CHECK:       %[[PHASE:.*]] = load atomic i8, ptr {{.*}} monotonic
// CHECK:       call void @__isosan_sync(i32 19, ptr {{.*}}, i32 0, i64 %{{.*}}, ptr
void arrive(std::barrier<>& b) { (void)b.arrive(); }

// A future is observed when it is ready (26); what waiting is made of is ignored.
// CHECK-LABEL: define {{.*}} @_Z5readyRSt23__atomic_futex_unsigned
// CHECK:       call void @__isosan_ignore_begin()
// CHECK:       call void @__isosan_ignore_end()
// CHECK:       call void @__isosan_sync(i32 26,
void ready(std::__atomic_futex_unsigned<>& f) { f._M_load_when_equal(1, std::memory_order_acquire); }
