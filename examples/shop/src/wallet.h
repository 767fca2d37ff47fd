// BUG: reads and writes the balance under two holds of the lock; what comes between is lost.
#pragma once

#include <mutex>

namespace shop {

class Wallet {
 public:
  void deposit(int amount) {
    const int before = balance();
    set_balance(before + amount);
  }
  int balance() const {
    const std::lock_guard guard(mutex_);
    return balance_;
  }

 private:
  void set_balance(int amount) {
    const std::lock_guard guard(mutex_);
    balance_ = amount;
  }

  mutable std::mutex mutex_;
  int balance_ = 0;
};

}  // namespace shop
