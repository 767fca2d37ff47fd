// A semaphore with one token, used as a lock.
#include <pthread.h>
#include <semaphore.h>

static sem_t token;
static int count, twice;

static void add(void) {
  sem_wait(&token);
  ++count;
  twice += 2;
  sem_post(&token);
}

static void* work(void* unused) {
  for (int i = 0; i < 200; ++i) add();
  return unused;
}

int main(void) {
  sem_init(&token, 0, 1);
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], 0, work, 0);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], 0);
  return count != 400 || twice != 800;
}
