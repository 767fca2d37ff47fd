// Critical (ConTest): a home-made critical section: the flag is looked at and set in two steps.
#include <atomic>
#include <thread>

#include "bug.h"

namespace {

std::atomic<bool> busy{false};
std::atomic<int> inside{0};

}  // namespace

bool enter() {
  if (bug::kFixed) return !busy.exchange(true);
  if (busy.load()) return false;
  busy.store(true);
  return true;
}

void visit() {
  if (!enter()) return;
  bug::require(inside.fetch_add(1) == 0, "one thread is in the critical section");
  inside.fetch_sub(1);
  busy.store(false);
}

int main() {
  bug::Thread first(visit);
  bug::Thread second(visit);
  first.join();
  second.join();
}
