// Travelling salesman (Penelope's tsp): a worker reads the best tour so far to cut its search, and
// compares again under the lock before it writes. The first read may be stale: a violation of
// atomicity that is no error. Both versions are correct.
#include <mutex>
#include <thread>

#include "bug.h"

class Best {
 public:
  int length() {
    std::lock_guard guard(mutex_);
    return length_;
  }
  void offer(int length) {
    std::unique_lock<std::recursive_mutex> whole(mutex_, std::defer_lock);
    if (bug::kFixed) whole.lock();
    if (length >= this->length()) return;
    std::lock_guard guard(mutex_);
    if (length < length_) length_ = length;
  }

 private:
  std::recursive_mutex mutex_;
  int length_ = 1000;
};

int main() {
  Best best;
  bug::Thread first([&] {
    best.offer(40);
    best.offer(25 - 10 * bug::round());
  });
  bug::Thread second([&] {
    best.offer(30);
    best.offer(20 - 10 * bug::round());
  });
  first.join();
  second.join();
  bug::require(best.length() == 20 - 10 * (bug::kRounds - 1), "the shortest tour wins");
}
