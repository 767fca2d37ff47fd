// A counter in a map: get in one critical section, put in another.
// finds: velodrome doublechecker marathon atomizer
// blames: Counts::count
#include <map>
#include <mutex>
#include <thread>

#include "steps.h"

class Counts {
 public:
  int get(int key) {
    std::lock_guard lock(mutex_);
    auto found = counts_.find(key);
    return found == counts_.end() ? 0 : found->second;
  }
  void put(int key, int value) {
    std::lock_guard lock(mutex_);
    counts_[key] = value;
  }
  void count(int key) {
    const int before = get(key);
    let_other_in();
    put(key, before + 1);
  }

 private:
  std::mutex mutex_;
  std::map<int, int> counts_;
};

int main() {
  Counts counts;
  std::thread other([&] {
    await_step(1);
    counts.count(1);
    next_step();
  });
  counts.count(1);
  other.join();
  return counts.get(1) == 2;
}
