// A transfer in two steps; an auditor that locks both accounts sees the money missing.
// finds: velodrome doublechecker atomizer
// blames: transfer
#include <mutex>
#include <thread>

#include "steps.h"

struct Account {
  void add(int amount) {
    std::lock_guard lock(mutex);
    balance += amount;
  }
  std::mutex mutex;
  int balance = 100;
};

void transfer(Account& from, Account& to, int amount) {
  from.add(-amount);
  let_other_in();
  to.add(amount);
}

int audit(Account& a, Account& b) {
  std::scoped_lock lock(a.mutex, b.mutex);
  return a.balance + b.balance;
}

int main() {
  Account a, b;
  int sum = 0;
  std::thread auditor([&] {
    await_step(1);
    sum = audit(a, b);
    next_step();
  });
  transfer(a, b, 10);
  auditor.join();
  return sum == 200;
}
