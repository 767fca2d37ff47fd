// A method that takes its lock anew for each element is no setter, though it does nothing but one access: another thread sees half of
// what it does.
// REQUIRES: pass
// RUN: %cxx %s -o %t
// RUN: not timeout 60 %isosan run --analysis marathon --shuffle 1 -- %t > %t.out 2>&1
// RUN: FileCheck %s < %t.out
// CHECK: atomic-set violation (Row)
// CHECK: Row::fill (thread
#include <mutex>
#include <thread>

class Row {
 public:
  [[gnu::noinline]] void fill(int value) {
    for (int& cell : cells_) {
      const std::lock_guard lock(mutex_);
      cell = value;
    }
  }
  [[gnu::noinline]] bool is_even() {
    const std::lock_guard lock(mutex_);
    for (const int cell : cells_)
      if (cell != cells_[0]) return false;
    return true;
  }

 private:
  std::mutex mutex_;
  int cells_[16] = {};
};

int main() {
  Row row;
  std::thread other([&] {
    for (int i = 0; i < 20; ++i) row.fill(i);
  });
  int torn = 0;
  for (int i = 0; i < 20; ++i) torn += !row.is_even();
  other.join();
  return torn == 0 ? 3 : 0;
}
