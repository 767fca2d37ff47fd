// Runs something in a thread of its own, to its end. atomizer needs no bad interleaving, only
// threads that have used the same locks and variables before.
#pragma once

#include <thread>
#include <utility>

// What is inlined is no function of its own through the __tsan_* front.
#define OUT_OF_LINE __attribute__((noinline))

template <class Work>
void in_a_thread(Work&& work) {
  std::thread(std::forward<Work>(work)).join();
}
