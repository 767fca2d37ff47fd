// An item is taken out of one bin and put into another in two critical sections; the total is wrong.
// finds: velodrome doublechecker marathon atomizer
// blames: Bins::move
#include <mutex>
#include <thread>

#include "steps.h"

class Bins {
 public:
  void add(int bin, int n) {
    std::lock_guard lock(mutex_);
    bins_[bin] += n;
  }
  void move(int from, int to) {
    add(from, -1);
    let_other_in();
    add(to, 1);
  }
  int total() {
    std::lock_guard lock(mutex_);
    return bins_[0] + bins_[1];
  }

 private:
  std::mutex mutex_;
  int bins_[2] = {5, 5};
};

int main() {
  Bins bins;
  int total = 0;
  std::thread other([&] {
    await_step(1);
    total = bins.total();
    next_step();
  });
  bins.move(0, 1);
  other.join();
  return total == 10;
}
