// A stale fill (memcached): a filler reads the store, a writer changes it and posts an
// invalidation, a third thread carries the invalidation out, and then the filler puts the old value
// into the cache, where it stays. The fixed filler looks at the store's version when it puts.
#include <mutex>
#include <thread>

#include "bug.h"

class CachedStore {
 public:
  void fill() {
    int version = 0;
    const int value = read_store(version);
    put(value, version);
  }
  void write(int value) {
    std::lock_guard guard(mutex_);
    stored_ = value;
    ++version_;
    posted_ = true;
  }
  void invalidate() {
    std::lock_guard guard(mutex_);
    if (posted_) cached_ = kNothing;
    posted_ = false;
  }
  bool is_consistent() {
    std::lock_guard guard(mutex_);
    return posted_ || cached_ == kNothing || cached_ == stored_;
  }

 private:
  static constexpr int kNothing = -1;

  int read_store(int& version) {
    std::lock_guard guard(mutex_);
    version = version_;
    return stored_;
  }
  void put(int value, int version) {
    std::lock_guard guard(mutex_);
    if (bug::kFixed && version != version_) return;
    cached_ = value;
  }

  std::mutex mutex_;
  int stored_ = 1;
  int version_ = 0;
  int cached_ = kNothing;
  bool posted_ = false;
};

int main() {
  CachedStore store;
  bug::Thread filler([&] { store.fill(); });
  bug::Thread writer([&] { store.write(2); });
  bug::Thread invalidator([&] { store.invalidate(); });
  filler.join();
  writer.join();
  invalidator.join();
  bug::require(store.is_consistent(), "the cache has what the store has, or an invalidation is due");
}
