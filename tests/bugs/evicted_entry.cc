// Use after free that nothing else shows: an entry of a cache is looked up under the lock and used
// after it; in between it is evicted. Its bytes are still there most of the time, and nobody checks
// what is counted in them.
#include <mutex>
#include <thread>
#include <utility>

#include "bug.h"

struct Entry {
  long uses = 0;
};

class Cache {
 public:
  Cache() { fill(); }
  ~Cache() { delete entry_; }
  void fill() {
    std::lock_guard guard(mutex_);
    if (entry_ == nullptr) entry_ = new Entry;
  }
  void use() {
    std::unique_lock<std::recursive_mutex> whole(mutex_, std::defer_lock);
    if (bug::kFixed) whole.lock();
    if (Entry* entry = find()) ++entry->uses;
  }
  void evict() {
    std::lock_guard guard(mutex_);
    if (entry_ != nullptr && entry_->uses > 0) delete std::exchange(entry_, nullptr);
  }

 private:
  Entry* find() {
    std::lock_guard guard(mutex_);
    return entry_;
  }

  std::recursive_mutex mutex_;
  Entry* entry_ = nullptr;
};

int main() {
  Cache cache;
  cache.use();
  bug::before_again([&] {
    cache.fill();
    cache.use();
  });
  bug::Thread user([&] { cache.use(); });
  bug::Thread keeper([&] { cache.evict(); });
  user.join();
  keeper.join();
}
