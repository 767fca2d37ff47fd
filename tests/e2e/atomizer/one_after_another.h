// Runs something in a thread of its own, to its end. atomizer needs no bad interleaving, only
// threads that have used the same locks and variables before. They are joined at the end of the
// program alone: no fork and no join orders them.
#pragma once

#include <semaphore>
#include <thread>
#include <utility>
#include <vector>

// What is inlined is no function of its own through the __tsan_* front.
#define OUT_OF_LINE __attribute__((noinline))

struct Threads {
  ~Threads() {
    for (std::thread& thread : all) thread.join();
  }
  std::vector<std::thread> all;
};
inline Threads threads;

template <class Work>
void in_a_thread(Work&& work) {
  static std::binary_semaphore done(0);
  threads.all.emplace_back([work = std::forward<Work>(work)] {
    work();
    done.release();
  });
  done.acquire();
}
