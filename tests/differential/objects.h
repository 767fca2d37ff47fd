// What the threads of one generated case share. Included by the generated program and by the test,
// which tells an address from the offset in here.
#pragma once

#include <pthread.h>
#include <semaphore.h>

struct Objects {
  alignas(64) unsigned char cells[64];
  pthread_mutex_t mutexes[2];
  pthread_mutex_t recursive;
  pthread_rwlock_t rw;
  pthread_cond_t conditions[2];
  sem_t semaphore;
  pthread_barrier_t barrier;  // of two threads
  pthread_once_t once;
};

// In helpers.cc, which is not instrumented: the interleaving and the values are no events.
void prepare(Objects* objects);       // ready for use, the step counter at 0
void announce(const Objects* first);  // tells the test where the objects are
void await(int step);                 // until the counter has reached `step`
void advance(int steps);              // the counter
void use(unsigned long value);        // a value that was read is used
