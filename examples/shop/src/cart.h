// BUG: items and sum belong together, and are changed in two steps.
#pragma once

#include <mutex>

namespace shop {

class Cart {
 public:
  struct Bill {
    int items = 0;
    int sum = 0;
  };
  void add(int price) {
    {
      const std::lock_guard guard(mutex_);
      ++items_;
    }
    const std::lock_guard guard(mutex_);
    sum_ += price;
  }
  Bill bill() const {
    const std::lock_guard guard(mutex_);
    return {items_, sum_};
  }

 private:
  mutable std::mutex mutex_;
  int items_ = 0;
  int sum_ = 0;
};

}  // namespace shop
