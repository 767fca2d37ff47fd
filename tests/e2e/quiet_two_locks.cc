// A region steps between the two critical sections of another, in the opposite order: all exact analyses find it, whether
// or not quiet transactions are left out.
// REQUIRES: pass || tsan
// RUN: %cxx %s %steps -o %t
// RUN: for analysis in velodrome aerodrome atomsanitizer doublechecker; do \
// RUN:   for how in "" --no-quiet; do \
// RUN:     %exits 66 %isosan run --atomic 'Account::*' --analysis $analysis $how -- %t 2>&1 | FileCheck %s || exit 1; \
// RUN:   done; \
// RUN: done
// CHECK: WARNING: IsoSan: atomicity violation (region Account::first)
// CHECK: SUMMARY: IsoSan: 1 finding
#include <mutex>
#include <thread>

#include "steps.h"

class Account {
 public:
  [[gnu::noinline]] void first() {
    money_.lock();
    ++balance_;
    money_.unlock();
    next_step();
    await_step(2);
    entries_.lock();
    ++log_;
    entries_.unlock();
  }
  [[gnu::noinline]] void second() {
    entries_.lock();
    ++log_;
    entries_.unlock();
    money_.lock();
    ++balance_;
    money_.unlock();
  }

 private:
  std::mutex money_, entries_;
  int balance_ = 0, log_ = 0;
};

int main() {
  static Account account;
  std::thread a([] { account.first(); });
  std::thread b([] {
    await_step(1);
    account.second();
    next_step();
  });
  a.join();
  b.join();
}
