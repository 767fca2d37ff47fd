// ArrayList behind a synchronizing wrapper (Marathon): `contains` and `add` are safe one by one;
// add if absent is not.
#include <mutex>
#include <thread>

#include "bug.h"

class ArrayList {
 public:
  bool contains(int value) {
    std::lock_guard guard(mutex_);
    for (int i = 0; i < size_; ++i)
      if (elements_[i] == value) return true;
    return false;
  }
  void add(int value) {
    std::lock_guard guard(mutex_);
    elements_[size_++] = value;
  }
  void add_if_absent(int value) {
    std::unique_lock<std::recursive_mutex> whole(mutex_, std::defer_lock);
    if (bug::kFixed) whole.lock();
    if (!contains(value)) add(value);
  }
  int size() {
    std::lock_guard guard(mutex_);
    return size_;
  }

 private:
  std::recursive_mutex mutex_;
  int elements_[8] = {};
  int size_ = 0;
};

int main() {
  ArrayList list;
  bug::Thread first([&] { list.add_if_absent(5 + bug::round()); });
  bug::Thread second([&] { list.add_if_absent(5 + bug::round()); });
  first.join();
  second.join();
  bug::require(list.size() == bug::kRounds, "the value is there once");
}
