// A recursive mutex: a function that holds it calls another one that takes it.
#define _GNU_SOURCE
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static int balance, operations;

static void deposit(int amount) {
  pthread_mutex_lock(&mutex);
  balance += amount;
  ++operations;
  pthread_mutex_unlock(&mutex);
}

static void deposit_twice(int amount) {
  pthread_mutex_lock(&mutex);
  deposit(amount);
  deposit(amount);
  pthread_mutex_unlock(&mutex);
}

static void* work(void* unused) {
  for (int i = 0; i < 200; ++i) deposit_twice(1);
  return unused;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], 0, work, 0);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], 0);
  return balance != 800 || operations != 800;
}
