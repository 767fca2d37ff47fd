// More threads at one time than the log has room for: those beyond run all the same, and the summary counts them.
// RUN: %cxx %s %steps -o %t
// RUN: %isosan run --json %t.json -- %t 2>&1 | FileCheck %s
// RUN: grep -q '"unobserved_threads": 7' %t.json
// CHECK: isosan: more threads at one time than the log has room for
// CHECK: IsoSan: watched 1024 threads (7 more unobserved) in 1 instrumented module
// CHECK: SUMMARY: IsoSan: 0 findings
#include <mutex>
#include <thread>
#include <vector>

#include "steps.h"

constexpr int kThreads = 1030;
std::mutex mutex;
int count;
int begun[kThreads];

int main() {
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([i] {
      begun[i] = 1;
      next_step();
      await_step(kThreads + 1);
      std::lock_guard lock(mutex);
      ++count;
    });
  }
  await_step(kThreads);
  next_step();
  for (std::thread& thread : threads) thread.join();
  return count == kThreads ? 0 : 1;
}
