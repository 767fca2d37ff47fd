// Two variables that belong together: a transfer takes from one account and gives to the other in
// two holds of the lock, and an audit in between finds money missing.
#include <mutex>
#include <thread>

#include "bug.h"

class Accounts {
 public:
  void transfer(int amount) {
    std::unique_lock<std::recursive_mutex> whole(mutex_, std::defer_lock);
    if (bug::kFixed) whole.lock();
    add_to_first(-amount);
    add_to_second(amount);
  }
  void audit() {
    std::lock_guard guard(mutex_);
    bug::require(first_ + second_ == 100, "no money is lost");
  }

 private:
  void add_to_first(int amount) {
    std::lock_guard guard(mutex_);
    first_ += amount;
  }
  void add_to_second(int amount) {
    std::lock_guard guard(mutex_);
    second_ += amount;
  }

  std::recursive_mutex mutex_;
  int first_ = 60;
  long apart_[8] = {};
  int second_ = 40;
};

int main() {
  Accounts accounts;
  bug::Thread transfer([&] { accounts.transfer(10); });
  bug::Thread audit([&] { accounts.audit(); });
  transfer.join();
  audit.join();
}
