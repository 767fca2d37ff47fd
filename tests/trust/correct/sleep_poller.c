// A poller that looks at a flag under the lock and sleeps between the looks.
#include <pthread.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int progress;

static int look(void) {
  pthread_mutex_lock(&mutex);
  const int now = progress;
  pthread_mutex_unlock(&mutex);
  return now;
}

static void step(void) {
  pthread_mutex_lock(&mutex);
  ++progress;
  pthread_mutex_unlock(&mutex);
}

static void nap(void) {
  const struct timespec moment = {0, 100000};
  nanosleep(&moment, 0);
}

static void wait_for(int goal) {
  while (look() < goal) nap();
}

static void* work(void* unused) {
  for (int i = 0; i < 100; ++i) step();
  return unused;
}

int main(void) {
  pthread_t workers[2];
  for (int i = 0; i < 2; ++i) pthread_create(&workers[i], 0, work, 0);
  wait_for(200);
  for (int i = 0; i < 2; ++i) pthread_join(workers[i], 0);
  return progress != 200;
}
