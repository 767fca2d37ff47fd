// A bit is set by reading and writing the whole mask in two critical sections.
// finds: velodrome doublechecker marathon atomizer
// blames: set_bit
#include <pthread.h>

#include "steps.h"

struct mask {
  pthread_mutex_t mutex;
  unsigned bits;
};
static struct mask mask = {PTHREAD_MUTEX_INITIALIZER, 0};

static unsigned load(struct mask* m) {
  pthread_mutex_lock(&m->mutex);
  const unsigned bits = m->bits;
  pthread_mutex_unlock(&m->mutex);
  return bits;
}
static void store(struct mask* m, unsigned bits) {
  pthread_mutex_lock(&m->mutex);
  m->bits = bits;
  pthread_mutex_unlock(&m->mutex);
}

void set_bit(struct mask* m, int bit) {
  const unsigned bits = load(m);
  let_other_in();
  store(m, bits | 1u << bit);
}

static void* other(void* m) {
  await_step(1);
  set_bit(m, 0);
  next_step();
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, other, &mask);
  set_bit(&mask, 1);
  pthread_join(thread, 0);
  return mask.bits == 3;
}
