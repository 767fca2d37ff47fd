// A process that forks before it has threads; parent and child then run threads each.
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void add(void) {
  pthread_mutex_lock(&mutex);
  ++count;
  pthread_mutex_unlock(&mutex);
}

static void* work(void* unused) {
  for (int i = 0; i < 200; ++i) add();
  return unused;
}

static int run_threads(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], 0, work, 0);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], 0);
  return count != 400;
}

int main(void) {
  const pid_t child = fork();
  if (child == 0) _exit(run_threads());
  int status;
  const int wrong = run_threads();
  return waitpid(child, &status, 0) != child || status != 0 || wrong;
}
