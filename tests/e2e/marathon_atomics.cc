// Atomic variables belong to no set, but a thread that sees what another one has stored comes after it.
// REQUIRES: pass
// RUN: %cxx %s %steps -o %t
// RUN: timeout 60 %isosan run --analysis marathon -- %t 2>&1 | FileCheck --implicit-check-not="not ordered" %s
// CHECK: done
// RUN: timeout 60 %isosan record --units -o %t.trace -- %t
// RUN: %isosan trace stat %t.trace | FileCheck --check-prefix=STAT %s
// STAT: atomic-store events: 3
#include <pthread.h>

#include <atomic>
#include <cstdint>
#include <cstdio>

#include "steps.h"

struct {
  alignas(64) std::atomic<int> ready = 0;
  struct {
    alignas(64) volatile int value = 0;
  } values[3];
} shared;

[[gnu::noinline]] int look() { return shared.ready.load(std::memory_order_acquire); }
[[gnu::noinline]] int take() {
  const int ready = look();
  return ready > 0 ? shared.values[ready - 1].value : 0;
}
[[gnu::noinline]] void give(int round) {
  shared.values[round].value = 1;
  shared.ready.store(round + 1, std::memory_order_release);
}

// Two readers share the word, look at it again, and find it written to: three times over.
void* run(void* number) {
  const int me = static_cast<int>(reinterpret_cast<std::intptr_t>(number));
  for (int round = 0; round < 3; ++round) {
    for (int i = 0; i < 7; ++i) {
      if ((i < 6 ? i % 2 : 2) != me) continue;
      await_step(7 * round + i);
      i < 6 ? (void)take() : give(round);
      next_step();
    }
  }
  return nullptr;
}

int main() {
  pthread_t threads[3];
  for (std::intptr_t i = 0; i < 3; ++i) pthread_create(&threads[i], nullptr, run, reinterpret_cast<void*>(i));
  for (const pthread_t each : threads) pthread_join(each, nullptr);
  std::puts("done");
}
