// Accounts in a ring (Sun's account): each thread moves money to the next account. It takes here and puts there, each under
// the account's own lock. With n threads a cycle can have up to n units: each of them took before its neighbour put.
// -DFIXED: under both locks.
#include <cstdio>
#include <memory>
#include <mutex>

#include "threads.h"

class Account {
 public:
  void move_to(Account& next, int amount) {
    if (units::kFixed) {
      const std::scoped_lock both(mutex_, next.mutex_);
      balance_ -= amount;
      next.balance_ += amount;
      return;
    }
    {
      const std::lock_guard lock(mutex_);
      balance_ -= amount;
    }
    const std::lock_guard lock(next.mutex_);
    next.balance_ += amount;
  }
  int balance() {
    const std::lock_guard lock(mutex_);
    return balance_;
  }

 private:
  std::mutex mutex_;
  int balance_ = 100;
};

int main(int argc, char** argv) {
  const int count = units::threads_asked(argc, argv, 9);
  std::vector<std::unique_ptr<Account>> accounts(count);
  for (auto& account : accounts) account = std::make_unique<Account>();
  units::in_threads(count, [&](int i) { accounts[i]->move_to(*accounts[(i + 1) % count], i); });
  int total = 0;
  for (const auto& account : accounts) total += account->balance();
  std::printf("%s\n", total == 100 * count ? "ok" : "money is lost");
}
