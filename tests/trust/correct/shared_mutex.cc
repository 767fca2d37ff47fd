// std::shared_mutex around a map: shared for lookups, exclusive for updates.
#include <map>
#include <mutex>
#include <shared_mutex>
#include <thread>

class Directory {
 public:
  int find(int key) const {
    std::shared_lock lock(mutex_);
    auto found = entries_.find(key);
    return found == entries_.end() ? 0 : found->second;
  }
  void set(int key, int value) {
    std::unique_lock lock(mutex_);
    entries_[key] = value;
  }

 private:
  mutable std::shared_mutex mutex_;
  std::map<int, int> entries_;
};

int main() {
  Directory directory;
  auto look = [&directory] {
    for (int i = 0; i < 200; ++i) directory.find(i % 10);
  };
  std::thread a(look), b(look);
  for (int i = 0; i < 100; ++i) directory.set(i % 10, i);
  a.join();
  b.join();
  return directory.find(9) != 99;
}
