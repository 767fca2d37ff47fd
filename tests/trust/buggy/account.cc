// Lost update: the balance is read in one critical section and written in another.
// finds: velodrome doublechecker marathon atomizer
// blames: Account::deposit
#include <mutex>
#include <thread>

#include "steps.h"

class Account {
 public:
  int balance() {
    std::lock_guard lock(mutex_);
    return balance_;
  }
  void set_balance(int balance) {
    std::lock_guard lock(mutex_);
    balance_ = balance;
  }
  void deposit(int amount) {
    const int before = balance();
    let_other_in();
    set_balance(before + amount);
  }

 private:
  std::mutex mutex_;
  int balance_ = 0;
};

int main() {
  Account account;
  std::thread other([&] {
    await_step(1);
    account.deposit(5);
    next_step();
  });
  account.deposit(10);
  other.join();
}
