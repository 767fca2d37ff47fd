// No limit on threads: ten thousand short ones one after the other, five hundred at a time.
// RUN: %cxx %s -o %t
// RUN: %isosan run --analysis atomsanitizer -- %t 2>&1 | FileCheck %s
// CHECK: 10500
// CHECK: SUMMARY: IsoSan: 0 findings
#include <cstdio>
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
  std::printf("%d\n", count);
}
