// Lottery (ConTest): the number is drawn in one step and published in the next; two draws that
// overlap publish one number twice.
#include <mutex>
#include <thread>

#include "bug.h"

class Lottery {
 public:
  void draw(int seed) {
    std::unique_lock<std::recursive_mutex> whole(mutex_, std::defer_lock);
    if (bug::kFixed) whole.lock();
    set_number(seed * 7);
    publish();
  }

 private:
  void set_number(int number) {
    std::lock_guard guard(mutex_);
    number_ = number;
  }
  void publish() {
    std::lock_guard guard(mutex_);
    bug::require(number_ != published_, "no number is published twice");
    published_ = number_;
  }

  std::recursive_mutex mutex_;
  int number_ = 0;
  int published_ = 0;
};

int main() {
  Lottery lottery;
  bug::Thread first([&] { lottery.draw(1); });
  bug::Thread second([&] { lottery.draw(2); });
  first.join();
  second.join();
}
