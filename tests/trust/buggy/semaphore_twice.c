// A semaphore as lock, taken twice in one function.
// finds: velodrome doublechecker marathon atomizer
// blames: deposit
#include <pthread.h>
#include <semaphore.h>

#include "steps.h"

static sem_t token;
static int balance;

static int get(void) {
  sem_wait(&token);
  const int now = balance;
  sem_post(&token);
  return now;
}
static void put(int value) {
  sem_wait(&token);
  balance = value;
  sem_post(&token);
}

void deposit(int amount) {
  const int before = get();
  let_other_in();
  put(before + amount);
}

static void* other(void* unused) {
  await_step(1);
  deposit(5);
  next_step();
  return unused;
}

int main(void) {
  sem_init(&token, 0, 1);
  pthread_t thread;
  pthread_create(&thread, 0, other, 0);
  deposit(10);
  pthread_join(thread, 0);
  return balance == 15;
}
