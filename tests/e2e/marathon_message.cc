// Atomic loads are not told to marathon; the order that they give is known all the same. One thread writes and says so, three
// others look, one after the other: the first takes the word over, the second shares it, the third comes to a shared word.
// REQUIRES: pass
// RUN: %cxx %s %steps -o %t
// RUN: timeout 60 %isosan run --analysis marathon -- %t 2>&1 | FileCheck --implicit-check-not="not ordered" %s
// CHECK: right: 9
// CHECK: SUMMARY: IsoSan: 0 findings
#include <pthread.h>

#include <atomic>
#include <cstdint>
#include <cstdio>

#include "steps.h"

constexpr int kRounds = 3, kReaders = 3;

struct {
  alignas(64) std::atomic<int> said = 0, right = 0;
  struct {
    alignas(64) volatile int value = 0;
  } messages[kRounds][kReaders];
} shared;

[[gnu::noinline]] void write(int round) {
  for (auto& message : shared.messages[round - 1]) message.value = round;
  shared.said.store(round, std::memory_order_release);
}
[[gnu::noinline]] void read(int me, int round) {
  const bool is_said = shared.said.load(std::memory_order_acquire) == round;
  if (is_said && shared.messages[round - 1][me].value == round) ++shared.right;
}

void* run(void* number) {
  const int me = static_cast<int>(reinterpret_cast<std::intptr_t>(number));
  for (int round = 0; round < kRounds; ++round) {
    await_step((kReaders + 1) * round + (me + 1) % (kReaders + 1));
    me == kReaders ? write(round + 1) : read(me, round + 1);
    next_step();
  }
  return nullptr;
}

int main() {
  pthread_t threads[kReaders + 1];
  for (std::intptr_t i = 0; i <= kReaders; ++i) pthread_create(&threads[i], nullptr, run, reinterpret_cast<void*>(i));
  for (const pthread_t each : threads) pthread_join(each, nullptr);
  std::printf("right: %d\n", shared.right.load());
}
