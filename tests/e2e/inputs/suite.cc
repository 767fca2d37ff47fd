// A GoogleTest program: one test fails in some schedules, one is right, one has no threads, and one, if it is asked to, ends
// whoever runs the suite and waits to be ended.
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <cstdlib>
#include <mutex>
#include <thread>

class Account {
 public:
  void deposit(int amount) { set(balance() + amount); }
  void deposit_at_once(int amount) {
    const std::lock_guard guard(mutex_);
    balance_ += amount;
  }
  int balance() {
    const std::lock_guard guard(mutex_);
    return balance_;
  }

 private:
  void set(int balance) {
    const std::lock_guard guard(mutex_);
    balance_ = balance;
  }
  std::mutex mutex_;
  int balance_ = 0;
};

template <class Deposit>
int after_two(Account& account, Deposit deposit) {
  std::thread first([&] { deposit(10); });
  std::thread second([&] { deposit(20); });
  first.join();
  second.join();
  return account.balance();
}

TEST(Account, KeepsBothDeposits) {
  Account account;
  EXPECT_EQ(after_two(account, [&](int amount) { account.deposit(amount); }), 30);
}

TEST(Account, KeepsBothAtOnce) {
  Account account;
  EXPECT_EQ(after_two(account, [&](int amount) { account.deposit_at_once(amount); }), 30);
}

TEST(Account, KeepsOne) {
  Account account;
  account.deposit(10);
  EXPECT_EQ(account.balance(), 10);
}

TEST(Suite, IsEnded) {
  const char* suite = std::getenv("SUITE_PID");
  const pid_t pid = suite == nullptr ? 0 : std::atoi(suite);
  if (pid <= 1) return;
  ::kill(pid, SIGINT);
  for (;;) ::pause();
}
