// Threads, mutex and condition of C11.
#include <threads.h>

static mtx_t mutex;
static cnd_t changed;
static int arrived, total;

static void add(int value) {
  mtx_lock(&mutex);
  total += value;
  mtx_unlock(&mutex);
}

static void arrive(void) {
  mtx_lock(&mutex);
  ++arrived;
  cnd_signal(&changed);
  mtx_unlock(&mutex);
}

static void await_all(int n) {
  mtx_lock(&mutex);
  while (arrived < n) cnd_wait(&changed, &mutex);
  mtx_unlock(&mutex);
}

static int work(void* unused) {
  (void)unused;
  for (int i = 0; i < 100; ++i) add(1);
  arrive();
  return 0;
}

int main(void) {
  mtx_init(&mutex, mtx_plain);
  cnd_init(&changed);
  thrd_t threads[2];
  for (int i = 0; i < 2; ++i) thrd_create(&threads[i], work, 0);
  await_all(2);
  for (int i = 0; i < 2; ++i) thrd_join(threads[i], 0);
  return total != 200;
}
