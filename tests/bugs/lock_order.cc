// Two accounts, two locks, two orders: transfers in opposite directions wait for each other.
#include <mutex>
#include <thread>

#include "bug.h"

struct Account {
  std::mutex mutex;
  int balance = 100;
};

void transfer(Account& from, Account& to, int amount) {
  Account* first = &from;
  Account* second = &to;
  if (bug::kFixed && first > second) std::swap(first, second);
  std::lock_guard one(first->mutex);
  std::lock_guard two(second->mutex);
  from.balance -= amount;
  to.balance += amount;
}

int main() {
  Account accounts[2];
  bug::Thread there([&] { transfer(accounts[0], accounts[1], 10); });
  bug::Thread back([&] { transfer(accounts[1], accounts[0], 20); });
  there.join();
  back.join();
  bug::require(accounts[0].balance + accounts[1].balance == 200, "no money is lost");
}
