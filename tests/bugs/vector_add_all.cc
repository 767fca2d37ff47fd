// Vector.addAll (Java collections; Penelope, Marathon): the size of the other vector is asked
// first, its elements are copied afterwards; each step takes the other's lock, the two together do
// not.
#include <mutex>
#include <thread>
#include <vector>

#include "bug.h"

class Vector {
 public:
  void add(int value) {
    std::lock_guard guard(mutex_);
    elements_[size_++] = value;
  }
  void clear() {
    std::lock_guard guard(mutex_);
    size_ = 0;
  }
  int size() {
    std::lock_guard guard(mutex_);
    return size_;
  }
  int copy_into(int* target) {
    std::lock_guard guard(mutex_);
    for (int i = 0; i < size_; ++i) target[i] = elements_[i];
    return size_;
  }
  void add_all(Vector& other) {
    std::unique_lock<std::recursive_mutex> others(other.mutex_, std::defer_lock);
    if (bug::kFixed) others.lock();
    const int count = other.size();
    int copy[8];
    const int copied = other.copy_into(copy);
    bug::require(copied == count, "addAll copied as many elements as it made room for");
    std::lock_guard guard(mutex_);
    for (int i = 0; i < count; ++i) elements_[size_++] = copy[i];
  }

 private:
  std::recursive_mutex mutex_;
  int elements_[8] = {};
  int size_ = 0;
};

int main() {
  Vector source;
  Vector target;
  source.add(1);
  source.add(2);
  bug::Thread copier([&] { target.add_all(source); });
  bug::Thread cleaner([&] { source.clear(); });
  copier.join();
  cleaner.join();
}
