// An amount is taken from one ledger and added to the other, each under its own lock: in between it
// is nowhere. No part of the program looks just then; its invariant says what would be seen.
#include <mutex>
#include <thread>

#include "bug.h"

class Ledger {
 public:
  explicit Ledger(long amount) : amount_(amount) {}
  void add(long amount) {
    std::lock_guard guard(mutex_);
    amount_ += amount;
  }
  long amount() const { return amount_; }
  std::recursive_mutex& mutex() { return mutex_; }

 private:
  std::recursive_mutex mutex_;
  long amount_;
};

namespace {

Ledger savings(100), current(0);

}  // namespace

bool nothing_is_lost() { return savings.amount() + current.amount() == 100; }
ISOSAN_INVARIANT(nothing_is_lost);

void move(long amount) {
  std::unique_lock from(savings.mutex(), std::defer_lock);
  std::unique_lock to(current.mutex(), std::defer_lock);
  if (bug::kFixed) std::lock(from, to);
  savings.add(-amount);
  current.add(amount);
}

int main() {
  bug::Thread first([] { move(30); });
  bug::Thread second([] { move(20); });
  first.join();
  second.join();
  bug::require(nothing_is_lost(), "in the end everything is somewhere");
}
