// A lock that refuses to be taken again by its holder does so under isosan, too, whoever decides which thread runs.
// RUN: %cxx %s -o %t
// RUN: timeout 60 %isosan run -- %t
// RUN: timeout 60 %isosan run --shuffle 1 -- %t
#include <cerrno>
#include <pthread.h>

int main() {
  pthread_mutexattr_t checks;
  pthread_mutexattr_init(&checks);
  pthread_mutexattr_settype(&checks, PTHREAD_MUTEX_ERRORCHECK);
  pthread_mutex_t mutex;
  pthread_mutex_init(&mutex, &checks);
  pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
  pthread_mutex_lock(&mutex);
  pthread_rwlock_wrlock(&lock);
  const bool refused = pthread_mutex_lock(&mutex) == EDEADLK && pthread_rwlock_rdlock(&lock) == EDEADLK &&
                       pthread_rwlock_wrlock(&lock) == EDEADLK;
  pthread_rwlock_unlock(&lock);
  pthread_mutex_unlock(&mutex);
  return refused ? 0 : 1;
}
