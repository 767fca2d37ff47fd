// usage: annotated NAME: what libraries annotated for ThreadSanitizer do.
#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <atomic>
#include <thread>

#include "step.h"

extern "C" {
void __tsan_acquire(void*);
void __tsan_release(void*);
void __tsan_mutex_pre_lock(void*, unsigned);
void __tsan_mutex_post_lock(void*, unsigned, int);
int __tsan_mutex_pre_unlock(void*, unsigned);
void __tsan_mutex_post_unlock(void*, unsigned);
void* __tsan_get_current_fiber();
void* __tsan_create_fiber(unsigned);
void __tsan_destroy_fiber(void*);
void __tsan_switch_to_fiber(void*, unsigned);
}

namespace {

long x;
char object;
std::atomic<int> word;
[[gnu::noinline]] void touch() { ++x; }

void two_threads(void (*a)(), void (*b)()) {
  std::thread first([=] {
    step_wait(0);
    a();
    step_done();
    step_wait(2);
  });
  std::thread second([=] {
    step_wait(1);
    b();
    step_done();
  });
  first.join();
  second.join();
}

void edges() {
  two_threads(
      [] {
        touch();
        __tsan_release(&object);
      },
      [] {
        __tsan_acquire(&object);
        touch();
      });
}

void own_lock() {
  __tsan_mutex_pre_lock(&object, 0);
  word.store(1);
  __tsan_mutex_post_lock(&object, 0, 0);
  touch();
  __tsan_mutex_pre_unlock(&object, 0);
  word.store(0);
  __tsan_mutex_post_unlock(&object, 0);
}
void mutexes() { two_threads(own_lock, own_lock); }

void fibers() {
  void* main_fiber = __tsan_get_current_fiber();
  void* fiber = __tsan_create_fiber(0);
  touch();
  __tsan_switch_to_fiber(fiber, 0);
  touch();
  __tsan_switch_to_fiber(main_fiber, 0);
  touch();
  __tsan_destroy_fiber(fiber);
}

void* sleeper(void*) {
  pthread_cleanup_push([](void*) { touch(); }, nullptr);
  step_done();
  for (;;) pause();
  pthread_cleanup_pop(0);
  return nullptr;
}
void cancel() {
  pthread_t t;
  pthread_create(&t, nullptr, sleeper, nullptr);
  step_wait(1);
  pthread_cancel(t);
  pthread_join(t, nullptr);
  touch();
}

jmp_buf back;
[[gnu::noinline]] void deeper(int n) {
  touch();
  if (n == 0) longjmp(back, 1);
  deeper(n - 1);
  asm volatile("");
}
[[gnu::noinline]] void jump_over() {
  if (setjmp(back) == 0) deeper(5);
  touch();
}
// The calls that were jumped over are closed before the next access, not at the end of the
// function.
void jumps() {
  jump_over();
  jump_over();
}

const struct {
  const char* name;
  void (*run)();
} cases[] = {{"edges", edges},
             {"mutexes", mutexes},
             {"fibers", fibers},
             {"cancel", cancel},
             {"jumps", jumps}};

}  // namespace

int main(int, char** argv) {
  printf("x=%p object=%p word=%p\n", static_cast<void*>(&x), static_cast<void*>(&object),
         static_cast<void*>(&word));
  for (const auto& c : cases) {
    if (strcmp(c.name, argv[1]) == 0) c.run();
  }
  return 0;
}
