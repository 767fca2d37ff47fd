// Fig. 1 of the Marathon paper: transfer() is interleaved with another thread's inc(). No serial order of all functions
// explains the run, but no invariant is hurt: the account and the counter are two atomic sets.
// REQUIRES: pass
// RUN: %cxx %s %steps -o %t
// RUN: timeout 60 %isosan run --analysis marathon -- %t > %t.out 2>&1
// RUN: FileCheck %s < %t.out
// CHECK: 10 -10 3
// CHECK: SUMMARY: IsoSan: 0 findings
// RUN: not timeout 60 %isosan run --analysis velodrome --atomic Account::transfer -- %t > %t.out 2>&1
// RUN: FileCheck --check-prefix=PLAIN %s < %t.out
// PLAIN: atomicity violation (region Account::transfer)
//
// A recording says the same; so does the whole heap as one set: then it is plain serializability.
// RUN: timeout 60 %isosan record -o %t.trace -- %t
// RUN: %isosan check --analysis marathon --sets %t.toml %t.trace | FileCheck --check-prefix=NONE %s
// NONE: SUMMARY: IsoSan: 0 findings
// RUN: FileCheck --check-prefix=SETS %s < %t.toml
// SETS: name = {{.}}Account{{.$}}
// SETS: fields = [{{.}}Account::checking_{{.}}, {{.}}Account::savings_{{.*}}]
// SETS: # units: {{.*}}Account::transfer
// SETS: name = {{.}}Global (static){{.$}}
// SETS: [units]
// SETS: {{.}}Account::transfer{{.}} = true
// RUN: %isosan check --analysis marathon --sets-from %t.toml %t.trace | FileCheck --check-prefix=NONE %s
// RUN: echo '[units]' > %t.all.toml
// RUN: echo '"Account::transfer" = "all"' >> %t.all.toml
// RUN: not %isosan check --analysis marathon --sets-from %t.all.toml %t.trace | FileCheck --check-prefix=ONE %s
// ONE: atomic-set violation
#include <cstdio>
#include <mutex>
#include <thread>

#include "steps.h"

class Global {
 public:
  [[gnu::noinline]] static void inc() {
    std::lock_guard lock(mutex_);
    ++operations;
  }
  static int operations;

 private:
  static std::mutex mutex_;
};
int Global::operations;
std::mutex Global::mutex_;

class Account {
 public:
  [[gnu::noinline]] void transfer(int amount) {
    Global::inc();
    {
      std::lock_guard lock(mutex_);
      checking_ += amount;
      savings_ -= amount;
    }
    next_step();
    await_step(2);
    Global::inc();
  }
  void print() { std::printf("%d %d %d\n", checking_, savings_, Global::operations); }

 private:
  std::mutex mutex_;
  int checking_ = 0;
  int savings_ = 0;
};

int main() {
  Account account;
  std::thread other([] {
    await_step(1);
    Global::inc();
    next_step();
  });
  account.transfer(10);
  other.join();
  account.print();
}
