// A spin lock of atomics, taken twice in one function.
// finds: velodrome doublechecker marathon atomizer
// blames: deposit
#include <pthread.h>
#include <stdatomic.h>

#include "steps.h"

static atomic_flag busy = ATOMIC_FLAG_INIT;
static int balance;

static void lock(void) {
  while (atomic_flag_test_and_set_explicit(&busy, memory_order_acquire)) {
  }
}
static void unlock(void) { atomic_flag_clear_explicit(&busy, memory_order_release); }

void deposit(int amount) {
  lock();
  const int before = balance;
  unlock();
  let_other_in();
  lock();
  balance = before + amount;
  unlock();
}

static void* other(void* unused) {
  await_step(1);
  deposit(5);
  next_step();
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, other, 0);
  deposit(10);
  pthread_join(thread, 0);
  return balance == 15;
}
