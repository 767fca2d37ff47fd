// Shop (ConTest): a customer sees goods on the shelf and takes them in a second step.
#include <mutex>
#include <thread>
#include <vector>

#include "bug.h"

class Shop {
 public:
  void supply(int pieces) {
    std::lock_guard guard(mutex_);
    stock_ += pieces;
  }
  bool buy() {
    std::unique_lock<std::recursive_mutex> whole(mutex_, std::defer_lock);
    if (bug::kFixed) whole.lock();
    if (!in_stock()) return false;
    take();
    return true;
  }

 private:
  bool in_stock() {
    std::lock_guard guard(mutex_);
    return stock_ > 0;
  }
  void take() {
    std::lock_guard guard(mutex_);
    --stock_;
    bug::require(stock_ >= 0, "nobody buys what is not there");
  }

  std::recursive_mutex mutex_;
  int stock_ = 1;
};

int main() {
  Shop shop;
  bug::before_again([&] { shop.supply(1); });
  std::vector<bug::Thread> customers;
  for (int i = 0; i < 2; ++i) customers.emplace_back([&] { shop.buy(); });
  for (bug::Thread& customer : customers) customer.join();
}
