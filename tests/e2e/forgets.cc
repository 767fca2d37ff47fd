// A region that uses more memory than a run keeps: the analyser stays small, and the summary says
// what was given up. A trace is checked to the end.
// RUN: %cxx %s -o %t
// RUN: %isosan run -- %t 2>&1 | FileCheck %s
// CHECK: filled
// CHECK: IsoSan: velodrome forgot who had used {{[0-9]+}} KiB of memory: open regions had used more than a run keeps
// CHECK: SUMMARY: IsoSan: 0 findings
// RUN: %isosan record -o %t.trace -- %t
// RUN: %isosan check %t.trace 2>&1 | FileCheck %s --check-prefix=TRACE
// TRACE-NOT: forgot
// TRACE: SUMMARY: IsoSan: 0 findings
#include <cstdio>
#include <mutex>
#include <thread>
#include <vector>

class Board {
 public:
  // Byte by byte, and not in order: each byte is a location of its own.
  [[gnu::noinline]] void fill(char with) {
    const std::lock_guard guard(mutex_);
    for (std::size_t i = 0; i < bytes_.size(); ++i) bytes_[i * 4099 % bytes_.size()] = with;
  }

 private:
  std::mutex mutex_;
  std::vector<char> bytes_ = std::vector<char>(2000000);
};

int main() {
  Board board;
  board.fill('a');
  std::thread([&] { board.fill('b'); }).join();
  std::puts("filled");
}
