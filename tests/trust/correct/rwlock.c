// Readers and a writer of a pair under a rwlock.
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int left, right;

static void set(int value) {
  pthread_rwlock_wrlock(&lock);
  left = value;
  right = -value;
  pthread_rwlock_unlock(&lock);
}

static int sum(void) {
  pthread_rwlock_rdlock(&lock);
  const int result = left + right;
  pthread_rwlock_unlock(&lock);
  return result;
}

static void* reader(void* torn) {
  for (int i = 0; i < 200; ++i) *(int*)torn |= sum();
  return 0;
}

int main(void) {
  pthread_t readers[2];
  int torn[2] = {0, 0};
  for (int i = 0; i < 2; ++i) pthread_create(&readers[i], 0, reader, &torn[i]);
  for (int i = 0; i < 200; ++i) set(i);
  for (int i = 0; i < 2; ++i) pthread_join(readers[i], 0);
  return torn[0] | torn[1];
}
