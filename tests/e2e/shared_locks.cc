// Who shares a lock again and again does not ask for what is kept of it, as long as that stands as it was (src/runtime/sync/sync_order.h).
// In each scenario a transfer has no order if that is wrong.
// RUN: %cxx %s %steps -o %t
// RUN: for s in readers own_write through_reader anew; do for analysis in aerodrome marathon; do \
// RUN:   timeout 60 %isosan run --analysis $analysis -- %t $s 2>&1 || true; \
// RUN: done; done > %t.out
// RUN: FileCheck %s < %t.out
// CHECK-COUNT-8: done
// RUN: not grep 'not ordered' %t.out
#include <pthread.h>

#include <cstdio>
#include <cstring>

#include "steps.h"

struct {
  alignas(64) volatile int x = 0;
  alignas(64) volatile int y = 0;
} shared;
pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER, kept = PTHREAD_MUTEX_INITIALIZER;

void write_x() {
  pthread_rwlock_wrlock(&lock);
  shared.x = 1;
  pthread_rwlock_unlock(&lock);
}
void read_x() {
  pthread_rwlock_rdlock(&lock);
  (void)shared.x;
  pthread_rwlock_unlock(&lock);
}
void write_y() {
  pthread_mutex_lock(&mutex);
  shared.y = 1;
  pthread_mutex_unlock(&mutex);
}

// The writer comes after the last time that the lock was shared; and who shares it next, after the writer.
void (*const readers[3][9])() = {
    {write_x, nullptr, nullptr, nullptr, write_x, nullptr, nullptr, write_x, nullptr},
    {nullptr, read_x, read_x, read_x, nullptr, read_x, read_x, nullptr, read_x},
};

// The reader has written meanwhile: what it has left as a reader counts no more.
void (*const own_write[3][9])() = {
    {nullptr, nullptr, nullptr, nullptr, write_x},
    {read_x, read_x, write_x, read_x, nullptr},
};

// The reader has come after a third thread since it first shared the lock. So does the writer.
void take_mutex() {
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
}
void share() {
  pthread_rwlock_rdlock(&lock);
  pthread_rwlock_unlock(&lock);
}
void write_y_alone() {
  pthread_rwlock_wrlock(&lock);
  shared.y = 2;
  pthread_rwlock_unlock(&lock);
}
void (*const through_reader[3][9])() = {
    {nullptr, nullptr, nullptr, nullptr, nullptr, write_y_alone},
    {nullptr, share, share, take_mutex, share, nullptr},
    {write_y},
};

// There is another lock at this address; what was kept of the first one is used for a third.
void replace() {
  pthread_rwlock_destroy(&lock);
  pthread_rwlock_init(&lock, nullptr);
  pthread_mutex_lock(&kept);
}
void (*const anew[3][9])() = {
    {nullptr, nullptr, replace, write_x, nullptr},
    {share, share, nullptr, nullptr, read_x},
};

void (*const (*script)[9])() = readers;
void* run(void* steps) {
  auto* at = static_cast<void (*const*)()>(steps);
  for (int i = 0; i < 9; ++i) {
    if (at[i] == nullptr) continue;
    await_step(i);
    at[i]();
    next_step();
  }
  return nullptr;
}

int main(int, char** arguments) {
  if (std::strcmp(arguments[1], "own_write") == 0) script = own_write;
  if (std::strcmp(arguments[1], "through_reader") == 0) script = through_reader;
  if (std::strcmp(arguments[1], "anew") == 0) script = anew;
  pthread_t threads[3];
  for (int i = 0; i < 3; ++i) pthread_create(&threads[i], nullptr, run, const_cast<void (**)()>(script[i]));
  for (const pthread_t each : threads) pthread_join(each, nullptr);
  std::puts("done");
}
