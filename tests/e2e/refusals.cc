// A lock that refuses to be taken again by its holder does so under isosan, too, whoever decides which thread runs; so does one that is
// given up by another thread, and a robust one that was left by its holder and is not made consistent.
// RUN: %cxx %s -o %t
// RUN: timeout 60 %isosan run -- %t
// RUN: timeout 60 %isosan record -o %t.trace -- %t not_robust
// RUN: %isosan check --analysis fasttrack %t.trace
// RUN: timeout 60 %isosan run --shuffle 1 -- %t not_robust
#include <cerrno>
#include <pthread.h>

pthread_mutex_t robust;
void* leave_locked(void*) {
  pthread_mutex_lock(&robust);
  return nullptr;
}
bool robust_refuses() {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
  pthread_mutex_init(&robust, &attributes);
  pthread_t thread;
  pthread_create(&thread, nullptr, leave_locked, nullptr);
  pthread_join(thread, nullptr);
  const bool owner_died = pthread_mutex_lock(&robust) == EOWNERDEAD;
  pthread_mutex_unlock(&robust);
  return owner_died && pthread_mutex_lock(&robust) == ENOTRECOVERABLE && pthread_mutex_lock(&robust) == ENOTRECOVERABLE;
}

int main(int count, char**) {
  pthread_mutexattr_t checks;
  pthread_mutexattr_init(&checks);
  pthread_mutexattr_settype(&checks, PTHREAD_MUTEX_ERRORCHECK);
  pthread_mutex_t mutex;
  pthread_mutex_init(&mutex, &checks);
  pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
  if (pthread_mutex_unlock(&mutex) != EPERM) return 2;
  if (count == 1 && !robust_refuses()) return 3;
  pthread_mutex_lock(&mutex);
  pthread_rwlock_wrlock(&lock);
  const bool refused = pthread_mutex_lock(&mutex) == EDEADLK && pthread_rwlock_rdlock(&lock) == EDEADLK &&
                       pthread_rwlock_wrlock(&lock) == EDEADLK;
  pthread_rwlock_unlock(&lock);
  pthread_mutex_unlock(&mutex);
  return refused ? 0 : 1;
}
