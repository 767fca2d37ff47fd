// Pool workers that take jobs (function and argument) from a list; a job is two critical sections.
#include <pthread.h>
#include <stddef.h>

struct job {
  void (*work)(int);
  int argument;
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct job jobs[100];
static int next_job;
static pthread_mutex_t sums = PTHREAD_MUTEX_INITIALIZER;
static int started, finished;

static void count(int* counter) {
  pthread_mutex_lock(&sums);
  ++*counter;
  pthread_mutex_unlock(&sums);
}

static void one_job(int unused) {
  (void)unused;
  count(&started);
  count(&finished);
}

static struct job* take(void) {
  pthread_mutex_lock(&mutex);
  struct job* job = next_job < 100 ? &jobs[next_job++] : NULL;
  pthread_mutex_unlock(&mutex);
  return job;
}

static void* worker(void* unused) {
  for (struct job* job; (job = take()) != NULL;) job->work(job->argument);
  return unused;
}

int main(void) {
  for (int i = 0; i < 100; ++i) jobs[i] = (struct job){one_job, i};
  pthread_t workers[3];
  for (int i = 0; i < 3; ++i) pthread_create(&workers[i], 0, worker, 0);
  for (int i = 0; i < 3; ++i) pthread_join(workers[i], 0);
  return started != 100 || finished != 100;
}
