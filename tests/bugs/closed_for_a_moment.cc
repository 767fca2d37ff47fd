// An intruder that undoes its write: a maintenance thread closes a shop, works, and opens it again.
// A customer has seen it open and finds it closed; once the intruder has ended, all is as before.
#include <mutex>
#include <thread>

#include "bug.h"

class Shop {
 public:
  void buy() {
    std::unique_lock<std::recursive_mutex> whole(mutex_, std::defer_lock);
    if (bug::kFixed) whole.lock();
    if (is_open()) pay();
  }
  void maintain() {
    set_open(false);
    set_open(true);
  }

 private:
  bool is_open() {
    std::lock_guard guard(mutex_);
    return open_;
  }
  void pay() {
    std::lock_guard guard(mutex_);
    bug::require(open_, "who was let in can pay");
  }
  void set_open(bool open) {
    std::lock_guard guard(mutex_);
    open_ = open;
  }

  std::recursive_mutex mutex_;
  bool open_ = true;
};

int main() {
  Shop shop;
  bug::Thread customer([&] { shop.buy(); });
  bug::Thread maintenance([&] { shop.maintain(); });
  customer.join();
  maintenance.join();
}
