// Which accesses are in the log when the reader wants those of some regions only (unlogged_test.cc).
// The functions are numbered in this order.
#include <semaphore.h>

#include <cstdio>

static unsigned long seen, unseen, between, behind_post;
static sem_t semaphore;

[[gnu::noinline]] void wanted() { seen = seen + 1; }
[[gnu::noinline]] void unwanted() {
  unseen = unseen + 1;
  wanted();
  unseen = unseen + 1;
}
[[gnu::noinline]] void posts() {
  unseen = unseen + 1;
  sem_post(&semaphore);
  behind_post = behind_post + 1;
}
[[gnu::noinline]] void posts_below() {
  posts();
  behind_post = behind_post + 1;
}
[[gnu::noinline]] void round() {
  between = between + 1;
  wanted();
  between = between + 1;
  unwanted();
  between = between + 1;
}

int main() {
  std::printf("seen=%p\nunseen=%p\nbetween=%p\nbehind_post=%p\n", static_cast<void*>(&seen),
              static_cast<void*>(&unseen), static_cast<void*>(&between),
              static_cast<void*>(&behind_post));
  sem_init(&semaphore, 0, 0);
  round();
  round();
  posts_below();
  return 0;
}
