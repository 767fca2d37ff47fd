// BUG: a load and a store where one exchange is needed.
#pragma once

#include <atomic>

namespace shop {

class Coupon {
 public:
  bool redeem() {
    if (used_.load()) return false;
    used_.store(true);
    return true;
  }

 private:
  std::atomic<bool> used_{false};
};

}  // namespace shop
