// BUG: looks whether the price is known, and loads it without looking again.
#pragma once

#include <mutex>

namespace shop {

class PriceCache {
 public:
  int price() {
    if (!known()) load();
    const std::lock_guard guard(mutex_);
    return price_;
  }
  int loads() const {
    const std::lock_guard guard(mutex_);
    return loads_;
  }

 private:
  bool known() const {
    const std::lock_guard guard(mutex_);
    return loads_ > 0;
  }
  void load() {
    const std::lock_guard guard(mutex_);
    price_ = 42;
    ++loads_;
  }

  mutable std::mutex mutex_;
  int price_ = 0;
  int loads_ = 0;
};

}  // namespace shop
