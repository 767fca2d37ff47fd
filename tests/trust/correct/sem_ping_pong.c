// Two threads take turns by two semaphores.
#include <pthread.h>
#include <semaphore.h>

static sem_t ping, pong;
static int ball;

static void hit(sem_t* mine, sem_t* theirs) {
  sem_wait(mine);
  ++ball;
  sem_post(theirs);
}

static void* player(void* unused) {
  for (int i = 0; i < 100; ++i) hit(&pong, &ping);
  return unused;
}

int main(void) {
  sem_init(&ping, 0, 1);
  sem_init(&pong, 0, 0);
  pthread_t other;
  pthread_create(&other, 0, player, 0);
  for (int i = 0; i < 100; ++i) hit(&ping, &pong);
  pthread_join(other, 0);
  return ball != 200;
}
