// A program that writes over its own log ends neither isosan nor the report: what was found before is told, one line
// says what happened, the exit status is 2.
// REQUIRES: pass || tsan
// UNSUPPORTED: emulated
// RUN: c++ -std=c++20 -O1 -I%S/../../src -c %S/inputs/scribble.cc -o %t.scribble.o
// RUN: %cxx %s %steps %t.scribble.o -o %t
// RUN: %exits 66 %isosan run --regions methods -- %t nothing
// RUN: for what in position thread header everything; do \
// RUN:   %exits 2 %isosan run --regions methods -- %t $what 2>&1 | FileCheck %s || exit 1; \
// RUN:   %exits 2 %isosan record -o %t.trace -- %t $what 2>&1 | FileCheck --check-prefix=LINE %s || exit 1; \
// RUN:   %exits 66 %isosan check --regions methods %t.trace || exit 1; \
// RUN: done
// The isosan that watches a child cannot do so.
// RUN: cc -O1 -shared -fPIC %S/../faults/failing_calls.c -o %t.failing_calls.so
// RUN: env LD_PRELOAD=%t.failing_calls.so FAIL_IN=isosan FAIL_CALL=memfd_create:1:12 \
// RUN:   %exits 2 %isosan run -- sh -c "%t nothing; true" 2>&1 | FileCheck --check-prefix=CHILD %s
// CHILD: isosan: process {{[0-9]+}} ({{.*}} nothing): memfd_create for the log: Cannot allocate memory
// CHECK: WARNING: IsoSan: atomicity violation (region Account::deposit)
// CHECK: SUMMARY: IsoSan: 1 finding, up to where the input could not be read
// CHECK: isosan: the program has written over its log: {{.*}}
// CHECK-NOT: {{.}}
// LINE: isosan: the program has written over its log: {{.*}}
// LINE-NOT: {{.}}
#include <mutex>
#include <thread>

#include "steps.h"

extern "C" void scribble(const char* what);

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

int main(int, char** arguments) {
  Account account;
  std::thread other([&] {
    await_step(1);
    account.deposit(5, false);
    next_step();
  });
  account.deposit(10, true);
  other.join();
  scribble(arguments[1]);
}
