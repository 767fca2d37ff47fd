// A cache that looks, computes outside the lock and stores without looking again: two callers get
// two different objects for one key.
#include <map>
#include <memory>
#include <mutex>
#include <thread>

#include "bug.h"

class Cache {
 public:
  std::shared_ptr<int> get(int key) {
    std::unique_lock<std::recursive_mutex> whole(mutex_, std::defer_lock);
    if (bug::kFixed) whole.lock();
    if (std::shared_ptr<int> found = find(key)) return found;
    auto made = std::make_shared<int>(key * key);
    store(key, made);
    return made;
  }

 private:
  std::shared_ptr<int> find(int key) {
    std::lock_guard guard(mutex_);
    const auto at = entries_.find(key);
    return at == entries_.end() ? nullptr : at->second;
  }
  void store(int key, std::shared_ptr<int> value) {
    std::lock_guard guard(mutex_);
    entries_[key] = std::move(value);
  }

  std::recursive_mutex mutex_;
  std::map<int, std::shared_ptr<int>> entries_;
};

int main() {
  Cache cache;
  std::shared_ptr<int> seen[2];
  bug::Thread first([&] { seen[0] = cache.get(3 + bug::round()); });
  bug::Thread second([&] { seen[1] = cache.get(3 + bug::round()); });
  first.join();
  second.join();
  bug::require(seen[0] == seen[1], "one key has one object");
}
