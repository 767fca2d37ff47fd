// A cache of one result in two variables (Goetz et al., Java Concurrency in Practice, 2.3.1): the
// argument and its result are each guarded, not the pair.
#include <mutex>
#include <thread>

#include "bug.h"

class Squares {
 public:
  int square(int n) {
    std::unique_lock<std::recursive_mutex> whole(mutex_, std::defer_lock);
    if (bug::kFixed) whole.lock();
    if (argument() == n) {
      const int known = result();
      bug::require(known == n * n, "the result is the argument's");
      return known;
    }
    set_argument(n);
    set_result(n * n);
    return n * n;
  }

 private:
  int argument() {
    std::lock_guard guard(mutex_);
    return argument_;
  }
  int result() {
    std::lock_guard guard(mutex_);
    return result_;
  }
  void set_argument(int n) {
    std::lock_guard guard(mutex_);
    argument_ = n;
  }
  void set_result(int n) {
    std::lock_guard guard(mutex_);
    result_ = n;
  }

  std::recursive_mutex mutex_;
  int argument_ = 0;
  int result_ = 0;
};

int main() {
  Squares squares;
  bug::Thread first([&] { squares.square(3); });
  bug::Thread second([&] { squares.square(5); });
  bug::Thread third([&] { squares.square(3); });
  first.join();
  second.join();
  third.join();
}
