// std::map under one mutex.
#include <map>
#include <mutex>

#include "common.h"

class Registry {
 public:
  void add(int key, int amount) {
    const std::lock_guard lock(mutex_);
    counts_[key] += amount;
  }
  int take_smallest() {
    const std::lock_guard lock(mutex_);
    if (counts_.empty()) return 0;
    const auto first = counts_.begin();
    const int count = first->second;
    counts_.erase(first);
    return count;
  }
  long total() {
    const std::lock_guard lock(mutex_);
    long sum = 0;
    for (const auto& [key, count] : counts_) sum += count;
    return sum;
  }

 private:
  std::mutex mutex_;
  std::map<int, int> counts_;
};

int main(int argc, char** argv) {
  const Arguments arguments(argc, argv);
  const int n = 150000 * arguments.scale;
  Registry registry;
  std::vector<long> taken(arguments.threads);
  in_parallel(arguments.threads, [&](int me) {
    Random random(static_cast<std::uint64_t>(me) + 17);
    for (int i = 0; i < n; ++i) {
      registry.add(static_cast<int>(random.next() % 20000), 1);
      if (i % 3 == 0) taken[me] += registry.take_smallest();
    }
  });
  long total = registry.total();
  for (const long t : taken) total += t;
  return finish(total == long{n} * arguments.threads, "treemap", static_cast<double>(total));
}
