// The program goes on if isosan is killed, also after its log would have been full many times over.
// RUN: %cxx %s -o %t
// RUN: sh -c '%isosan run -- %t; true' | FileCheck %s
// CHECK: the program has ended
#include <signal.h>
#include <unistd.h>

#include <cstdio>
#include <mutex>
#include <thread>

class Box {
 public:
  [[gnu::noinline]] void add(long n) {
    const std::lock_guard<std::mutex> lock(mutex_);
    sum_ += n;
    deep_ += count(3);
  }

 private:
  [[gnu::noinline]] long count(long n) { return n == 0 ? sum_ : 1 + count(n - 1); }
  std::mutex mutex_;
  long sum_ = 0, deep_ = 0;
};

int main() {
  Box box;
  const auto add_often = [&] {
    for (int i = 0; i < 50000; ++i) box.add(i);
  };
  std::thread other(add_often);
  for (int i = 0; i < 1000; ++i) box.add(i);
  kill(getppid(), SIGKILL);
  add_often();
  other.join();
  std::puts("the program has ended");
}
