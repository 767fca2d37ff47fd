// Account (ConTest; Marathon, Penelope): the balance is read in one critical section and written in
// the next.
#include <mutex>
#include <thread>

#include "bug.h"

class Account {
 public:
  explicit Account(int balance) : balance_(balance) {}
  int balance() {
    std::lock_guard guard(mutex_);
    return balance_;
  }
  void set_balance(int balance) {
    std::lock_guard guard(mutex_);
    balance_ = balance;
  }
  void deposit(int amount) {
    std::unique_lock<std::recursive_mutex> whole(mutex_, std::defer_lock);
    if (bug::kFixed) whole.lock();
    set_balance(balance() + amount);
  }

 private:
  std::recursive_mutex mutex_;
  int balance_;
};

int main() {
  Account account(100);
  bug::Thread first([&] { account.deposit(10); });
  bug::Thread second([&] { account.deposit(20); });
  first.join();
  second.join();
  bug::require(account.balance() == 100 + 30 * bug::kRounds, "both deposits are in the balance");
}
