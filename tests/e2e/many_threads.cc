// No limit on threads: ten thousand short ones one after the other, five hundred at a time, and five thousand that wait for each other.
// RUN: %cxx %s -o %t
// RUN: timeout 120 %isosan run --analysis atomsanitizer -- %t 2>&1 | FileCheck %s
// CHECK: 15500
// CHECK: SUMMARY: IsoSan: 0 findings
#include <cstdio>
#include <latch>
#include <mutex>
#include <thread>
#include <vector>

std::mutex mutex;
int count;

void add() {
  std::lock_guard lock(mutex);
  ++count;
}

int main() {
  for (int i = 0; i < 10000; ++i) std::thread(add).join();
  std::vector<std::thread> threads;
  for (int i = 0; i < 500; ++i) threads.emplace_back(add);
  for (std::thread& thread : threads) thread.join();
  threads.clear();
  std::latch all(5000);
  for (int i = 0; i < 5000; ++i)
    threads.emplace_back([&all] {
      all.arrive_and_wait();
      add();
    });
  for (std::thread& thread : threads) thread.join();
  std::printf("%d\n", count);
}
