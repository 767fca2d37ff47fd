// BUG: after the wait nobody looks again whether there is an order.
#pragma once

#include <condition_variable>
#include <mutex>

namespace shop {

class OrderQueue {
 public:
  void push(int order) {
    const std::lock_guard guard(mutex_);
    orders_[size_++] = order;
    pushed_.notify_all();
  }
  int pop() {  // 0: there was none
    std::unique_lock lock(mutex_);
    if (size_ == 0) pushed_.wait(lock);
    if (size_ == 0) return 0;
    return orders_[--size_];
  }

 private:
  std::mutex mutex_;
  std::condition_variable pushed_;
  int orders_[8] = {};
  int size_ = 0;
};

}  // namespace shop
