// A wrong result that only the output shows: two threads count their votes in a local variable and
// add it to the total in two steps. The program prints what it has and ends with 0.
#include <mutex>
#include <thread>

#include "bug.h"

class Tally {
 public:
  void add(int votes) {
    std::unique_lock<std::recursive_mutex> whole(mutex_, std::defer_lock);
    if (bug::kFixed) whole.lock();
    set(total() + votes);
  }
  int total() {
    std::lock_guard guard(mutex_);
    return total_;
  }

 private:
  void set(int total) {
    std::lock_guard guard(mutex_);
    total_ = total;
  }

  std::recursive_mutex mutex_;
  int total_ = 0;
};

int main() {
  Tally tally;
  bug::Thread first([&] { tally.add(3); });
  bug::Thread second([&] { tally.add(4); });
  first.join();
  second.join();
  std::printf("%d votes\n", tally.total());
}
