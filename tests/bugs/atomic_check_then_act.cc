// Check-then-act on std::atomic: no data race, yet two threads pass the same check.
#include <atomic>
#include <thread>

#include "bug.h"

class Permits {
 public:
  explicit Permits(int count) : left_(count) {}
  bool take() {
    if (bug::kFixed) {
      int left = left_.load();
      while (left > 0)
        if (left_.compare_exchange_strong(left, left - 1)) return true;
      return false;
    }
    if (left_.load() <= 0) return false;
    left_.fetch_sub(1);
    return true;
  }
  int left() const { return left_.load(); }

 private:
  std::atomic<int> left_;
};

int main() {
  Permits permits(2 * bug::kRounds - 1);
  bug::Thread first([&] { permits.take(); });
  bug::Thread second([&] { permits.take(); });
  first.join();
  second.join();
  bug::require(permits.left() >= 0, "no more permits are taken than there are");
}
