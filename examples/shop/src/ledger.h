// BUG: locks the two accounts in the order in which they are named.
#pragma once

#include <mutex>

namespace shop {

class Ledger {
 public:
  void transfer(int from, int to, int amount) {
    const std::lock_guard first(accounts_[from].mutex);
    const std::lock_guard second(accounts_[to].mutex);
    accounts_[from].sum -= amount;
    accounts_[to].sum += amount;
  }
  int total() {
    const std::scoped_lock both(accounts_[0].mutex, accounts_[1].mutex);
    return accounts_[0].sum + accounts_[1].sum;
  }

 private:
  struct Account {
    std::mutex mutex;
    int sum = 100;
  };
  Account accounts_[2];
};

}  // namespace shop
