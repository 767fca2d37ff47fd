// Memory and synchronization objects that are used by one thread while another allocates, frees, initializes or destroys
// them without synchronization: a race. With it ("joined"), or
// where the program says so: none.
// RUN: %cc %s %steps -o %t
// RUN: for what in free use_after_free atomic_free allocate map mutex_init mutex_destroy signal barrier_init; do %exits 66 %isosan run --analysis fasttrack -- %t $what >%t.out 2>&1 && FileCheck %s <%t.out || exit 1; done
// RUN: for what in free mutex_init mutex_destroy signal barrier_init; do %isosan run --analysis fasttrack -- %t $what joined || exit 1; done
// RUN: %isosan run --analysis fasttrack -- %t ignored_free
// RUN: %exits 66 %isosan run --analysis fasttrack -- %t mutex_destroy 2>&1 | FileCheck --check-prefix=DESTROYED %s
// CHECK: data race
// DESTROYED: {{(write and acquire|release and write)}} of the same bytes
// DESTROYED: pthread_mutex_destroy
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "steps.h"

void AnnotateIgnoreWritesBegin(const char* file, int line);
void AnnotateIgnoreWritesEnd(const char* file, int line);

struct shared {
  long value;
  pthread_mutex_t mutex;
  pthread_cond_t condition;
  pthread_barrier_t barrier;
};
static struct shared* shared;
static struct shared* late;
static const char* what;
static int is(const char* name) { return strcmp(what, name) == 0; }

static void* other(void* unused) {
  if (is("free") || is("ignored_free")) shared->value = 1;
  if (is("atomic_free")) __atomic_store_n(&shared->value, 1, __ATOMIC_SEQ_CST);
  if (is("use_after_free")) free(shared);
  if (is("allocate")) __atomic_store_n(&late, malloc(sizeof *late), __ATOMIC_RELAXED);
  if (is("map"))
    __atomic_store_n(&late, mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), __ATOMIC_RELAXED);
  if (is("mutex_init")) pthread_mutex_init(&shared->mutex, 0);
  if (is("mutex_destroy") || is("mutex_init")) {
    pthread_mutex_lock(&shared->mutex);
    pthread_mutex_unlock(&shared->mutex);
  }
  if (is("signal")) pthread_cond_signal(&shared->condition);
  if (is("barrier_init")) pthread_barrier_init(&shared->barrier, 0, 1);
  next_step();
  return unused;
}

int main(int count, char** arguments) {
  const int joined = count > 2;
  pthread_t thread;
  what = arguments[1];
  shared = calloc(1, sizeof *shared);
  pthread_create(&thread, 0, other, 0);
  await_step(1);
  if (joined) pthread_join(thread, 0);
  if (is("use_after_free")) shared->value = 2;
  if (is("allocate") || is("map")) __atomic_load_n(&late, __ATOMIC_RELAXED)->value = 2;
  if (is("mutex_init")) {
    pthread_mutex_lock(&shared->mutex);
    pthread_mutex_unlock(&shared->mutex);
  }
  if (is("mutex_destroy")) pthread_mutex_destroy(&shared->mutex);
  if (is("barrier_init")) pthread_barrier_wait(&shared->barrier);
  if (is("ignored_free")) {
    AnnotateIgnoreWritesBegin(__FILE__, __LINE__);
    free(shared);
    AnnotateIgnoreWritesEnd(__FILE__, __LINE__);
  }
  if (is("free") || is("atomic_free") || is("signal")) free(shared);
  if (!joined) pthread_join(thread, 0);
  return 0;
}
