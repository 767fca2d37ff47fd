// Two wrappers around a wait, handed through a pointer to a function: a portability layer.
#include <pthread.h>

struct monitor {
  pthread_mutex_t mutex;
  pthread_cond_t changed;
  int turn;
};
static struct monitor game = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0};

static int posix_wait(struct monitor* m) { return pthread_cond_wait(&m->changed, &m->mutex); }
static int (*const layer_wait)(struct monitor*) = posix_wait;
static void await_turn(struct monitor* m, int who) {
  while (m->turn != who) layer_wait(m);
}

static void play(struct monitor* m, int who) {
  pthread_mutex_lock(&m->mutex);
  await_turn(m, who);
  m->turn = 1 - who;
  pthread_cond_broadcast(&m->changed);
  pthread_mutex_unlock(&m->mutex);
}

static void* player(void* who) {
  for (int i = 0; i < 100; ++i) play(&game, who != 0);
  return 0;
}

int main(void) {
  pthread_t other;
  pthread_create(&other, 0, player, &game);
  player(0);
  pthread_join(other, 0);
  return game.turn;
}
