// A lock that is given up as the last thing a function does is told of before. Not if something is accessed or called behind it,
// or may be.
// RUN: %clangxx -O2 -g -S -emit-llvm %s -o - | FileCheck %s
#include <pthread.h>
void other();
class Account {
 public:
  void add(long amount);
  long read();
  void add_and_count(long amount);
  void add_and_call(long amount);
  void add_and_maybe(long amount);

 private:
  pthread_mutex_t mutex_;
  long balance_, count_;
};

// CHECK-LABEL: define {{.*}} @_ZN7Account3addEl(
// CHECK:       call {{.*}} @__isosan_last_release(ptr {{.*}}@__isosan_function._ZN7Account3addEl, ptr
// CHECK-NEXT:  call {{.*}} @pthread_mutex_unlock(
// CHECK:       ret void
void Account::add(long amount) {
  pthread_mutex_lock(&mutex_);
  balance_ += amount;
  count_ += 1;
  pthread_mutex_unlock(&mutex_);
}

// CHECK-LABEL: define {{.*}} @_ZN7Account4readEv(
// CHECK:       call {{.*}} @__isosan_last_release(
// CHECK-NEXT:  call {{.*}} @pthread_mutex_unlock(
// CHECK:       ret i64
long Account::read() {
  pthread_mutex_lock(&mutex_);
  const long both = balance_ + count_;
  pthread_mutex_unlock(&mutex_);
  return 2 * both;
}

// CHECK-LABEL: define {{.*}} @_ZN7Account13add_and_countEl(
// CHECK-NOT:   @__isosan_last_release(
// CHECK:       ret void
void Account::add_and_count(long amount) {
  pthread_mutex_lock(&mutex_);
  balance_ += amount;
  pthread_mutex_unlock(&mutex_);
  count_ += 1;
}

// CHECK-LABEL: define {{.*}} @_ZN7Account12add_and_callEl(
// CHECK-NOT:   @__isosan_last_release(
// CHECK:       ret void
void Account::add_and_call(long amount) {
  pthread_mutex_lock(&mutex_);
  balance_ += amount;
  pthread_mutex_unlock(&mutex_);
  other();
}

// CHECK-LABEL: define {{.*}} @_ZN7Account13add_and_maybeEl(
// CHECK-NOT:   @__isosan_last_release(
// CHECK:       ret void
void Account::add_and_maybe(long amount) {
  pthread_mutex_lock(&mutex_);
  balance_ += amount;
  pthread_mutex_unlock(&mutex_);
  if (amount > 9) count_ += 1;
}
