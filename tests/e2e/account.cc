// The check goes stale before the act: every access is locked, and the deposit is lost all the same.
// RUN: %cxx %s %steps -o %t
// RUN: not %isosan run --regions methods -- %t > %t.out 2>&1
// RUN: FileCheck %s < %t.out
// CHECK: 10
// CHECK: WARNING: IsoSan: atomicity violation (region Account::deposit)
// CHECK: No serial order explains this run
// CHECK: SUMMARY: IsoSan: 1 finding
//
// A recording says the same, and takes the selection of regions afterwards.
// RUN: %isosan record -o %t.trace -- %t
// RUN: not %isosan check --regions methods %t.trace | FileCheck --check-prefix=SAME %s
// SAME: atomicity violation (region Account::deposit)
// RUN: %isosan check --atomic Account::balance %t.trace | FileCheck --check-prefix=NONE %s
// NONE: SUMMARY: IsoSan: 0 findings
// RUN: not %isosan check --atomic 'Account::withdraw' %t.trace 2>&1 | FileCheck --check-prefix=GLOB %s
// GLOB: isosan: 'Account::withdraw' matches no function of the program
#include <cstdio>
#include <mutex>
#include <thread>

#include "steps.h"

class Account {
 public:
  [[gnu::noinline]] int balance() {
    std::lock_guard lock(mutex_);
    return balance_;
  }
  [[gnu::noinline]] void set_balance(int balance) {
    std::lock_guard lock(mutex_);
    balance_ = balance;
  }
  [[gnu::noinline]] void deposit(int amount, bool slow) {
    const int before = balance();
    if (slow) {
      next_step();
      await_step(2);
    }
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
    account.deposit(5, false);
    next_step();
  });
  account.deposit(10, true);
  other.join();
  std::printf("%d\n", account.balance());
}
