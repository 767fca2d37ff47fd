// Lost update in C: one function locks twice, once to read and once to write.
// finds: velodrome doublechecker marathon atomizer
// blames: deposit
#include <pthread.h>

#include "steps.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int balance;

void deposit(int amount) {
  pthread_mutex_lock(&mutex);
  const int before = balance;
  pthread_mutex_unlock(&mutex);
  let_other_in();
  pthread_mutex_lock(&mutex);
  balance = before + amount;
  pthread_mutex_unlock(&mutex);
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
}
