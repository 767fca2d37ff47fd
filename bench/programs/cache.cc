// A read-mostly cache under a shared_mutex: 31 of 32 look-ups share the lock.
#include <mutex>
#include <shared_mutex>

#include "common.h"

class Cache {
 public:
  explicit Cache(int n) : values_(n), versions_(n) {}
  bool consistent(int i) const {
    const std::shared_lock lock(mutex_);
    return values_[i] == versions_[i] * 7;
  }
  void refresh(int i) {
    const std::unique_lock lock(mutex_);
    ++versions_[i];
    values_[i] = versions_[i] * 7;
  }
  long refreshes() const {
    long sum = 0;
    for (const long v : versions_) sum += v;
    return sum;
  }

 private:
  mutable std::shared_mutex mutex_;
  std::vector<long> values_, versions_;
};

int main(int argc, char** argv) {
  const Arguments arguments(argc, argv);
  const int n = 300000 * arguments.scale;
  Cache cache(512);
  std::vector<int> wrong(arguments.threads * 16);
  in_parallel(arguments.threads, [&](int me) {
    Random random(static_cast<std::uint64_t>(me));
    for (int i = 0; i < n; ++i) {
      const int slot = static_cast<int>(random.next() % 512);
      if (i % 32 == 0) {
        cache.refresh(slot);
      } else if (!cache.consistent(slot)) {
        ++wrong[me * 16];
      }
    }
  });
  int errors = 0;
  for (const int w : wrong) errors += w;
  const long expected = long{arguments.threads} * ((n + 31) / 32);
  return finish(errors == 0 && cache.refreshes() == expected, "cache", static_cast<double>(cache.refreshes()));
}
