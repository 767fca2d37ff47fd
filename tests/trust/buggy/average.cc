// Sum and count are read in two critical sections: an average of values that never were.
// finds: velodrome doublechecker marathon atomizer
// blames: Statistics::average
#include <mutex>
#include <thread>

#include "steps.h"

class Statistics {
 public:
  void add(int value) {
    std::lock_guard lock(mutex_);
    sum_ += value;
    ++count_;
  }
  int average() {
    int sum, count;
    {
      std::lock_guard lock(mutex_);
      sum = sum_;
    }
    let_other_in();
    {
      std::lock_guard lock(mutex_);
      count = count_;
    }
    return sum / count;
  }

 private:
  std::mutex mutex_;
  int sum_ = 0, count_ = 0;
};

int main() {
  Statistics statistics;
  statistics.add(10);
  std::thread other([&] {
    await_step(1);
    statistics.add(10);
    next_step();
  });
  const int average = statistics.average();
  other.join();
  return average == 10;
}
