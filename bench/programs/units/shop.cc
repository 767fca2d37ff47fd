// A shop (Shop): customers look at the stock, pay and take in three steps; a supplier fills it up. -DFIXED: a customer holds the
// lock from the look to the end.
#include <cstdio>
#include <mutex>

#include "threads.h"

class Shop {
 public:
  bool buy() {
    std::unique_lock<std::recursive_mutex> whole(mutex_, std::defer_lock);
    if (units::kFixed) whole.lock();
    if (look() == 0) return false;
    pay();
    take();
    return true;
  }
  void deliver(int pieces) {
    const std::lock_guard lock(mutex_);
    stock_ += pieces;
    delivered_ += pieces;
  }
  bool adds_up() {
    const std::lock_guard lock(mutex_);
    return stock_ + sold_ == delivered_;
  }

 private:
  int look() {
    const std::lock_guard lock(mutex_);
    return stock_;
  }
  void pay() {
    const std::lock_guard lock(mutex_);
    ++sold_;
  }
  void take() {
    const std::lock_guard lock(mutex_);
    --stock_;
  }

  std::recursive_mutex mutex_;
  int stock_ = 0;
  int sold_ = 0;
  int delivered_ = 0;
};

int main(int argc, char** argv) {
  Shop shop;
  shop.deliver(2);
  units::in_threads(units::threads_asked(argc, argv, 7), [&](int i) {
    if (i % 3 == 0) shop.deliver(1);
    if (i % 3 == 1) shop.buy();
    if (i % 3 == 2) shop.adds_up();
  });
  std::printf("%s\n", shop.adds_up() ? "ok" : "the stock does not add up");
}
