// A function that starts a pool, behind two calls, and hands it work: it drives others.
#include <pthread.h>

static int jobs, done, stop;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_t worker;

static void* work(void* unused) {
  for (int going = 1; going;) {
    pthread_mutex_lock(&mutex);
    if (jobs > done) ++done;
    going = !stop || jobs > done;
    pthread_mutex_unlock(&mutex);
  }
  return unused;
}

static void start(void) { pthread_create(&worker, 0, work, 0); }
__attribute__((noinline)) static void open_pool(void) { start(); }

static void add(void) {
  pthread_mutex_lock(&mutex);
  ++jobs;
  pthread_mutex_unlock(&mutex);
}

static int is_done(void) {
  pthread_mutex_lock(&mutex);
  const int all = jobs == done;
  pthread_mutex_unlock(&mutex);
  return all;
}

static void finish(void) {
  pthread_mutex_lock(&mutex);
  stop = 1;
  pthread_mutex_unlock(&mutex);
}

__attribute__((noinline)) static int compress(void) {
  open_pool();
  for (int i = 0; i < 20; ++i) add();
  is_done();
  return 0;
}

int main(void) {
  const int status = compress();
  finish();
  pthread_join(worker, 0);
  return status || jobs != done;
}
