// Sun's account (ConTest): a transfer withdraws here and deposits there, each under its account's
// lock; an audit in between misses the money.
#include <mutex>
#include <thread>

#include "bug.h"

class Bank {
 public:
  void transfer(int amount) {
    std::unique_lock<std::recursive_mutex> whole(mutex_, std::defer_lock);
    if (bug::kFixed) whole.lock();
    withdraw(amount);
    deposit(amount);
  }
  int total() {
    std::lock_guard guard(mutex_);
    return checking_ + savings_;
  }

 private:
  void withdraw(int amount) {
    std::lock_guard guard(mutex_);
    checking_ -= amount;
  }
  void deposit(int amount) {
    std::lock_guard guard(mutex_);
    savings_ += amount;
  }

  std::recursive_mutex mutex_;
  int checking_ = 100;
  int savings_ = 0;
};

int main() {
  Bank bank;
  bug::Thread mover([&] { bank.transfer(30); });
  bug::Thread auditor([&] { bug::require(bank.total() == 100, "the audit finds all the money"); });
  mover.join();
  auditor.join();
}
