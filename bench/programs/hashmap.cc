// A hash map of 64 shards, each with its own lock; threads insert, look up and erase.
#include <mutex>
#include <unordered_map>

#include "common.h"

class ShardedMap {
 public:
  void put(std::uint64_t key, std::uint64_t value) {
    Shard& shard = of(key);
    const std::lock_guard lock(shard.mutex);
    shard.entries[key] = value;
  }
  bool get(std::uint64_t key, std::uint64_t& value) {
    Shard& shard = of(key);
    const std::lock_guard lock(shard.mutex);
    const auto found = shard.entries.find(key);
    if (found == shard.entries.end()) return false;
    value = found->second;
    return true;
  }
  void erase(std::uint64_t key) {
    Shard& shard = of(key);
    const std::lock_guard lock(shard.mutex);
    shard.entries.erase(key);
  }
  std::size_t size() {
    std::size_t total = 0;
    for (Shard& shard : shards_) total += shard.entries.size();
    return total;
  }

 private:
  struct Shard {
    std::mutex mutex;
    std::unordered_map<std::uint64_t, std::uint64_t> entries;
  };
  Shard& of(std::uint64_t key) { return shards_[key * 11400714819323198485u >> 58]; }
  Shard shards_[64];
};

int main(int argc, char** argv) {
  const Arguments arguments(argc, argv);
  const std::uint64_t n = 150000u * static_cast<unsigned>(arguments.scale);
  ShardedMap map;
  bool right = true;
  std::mutex verdict;
  in_parallel(arguments.threads, [&](int me) {
    Random random(static_cast<std::uint64_t>(me));
    bool mine = true;
    for (std::uint64_t i = static_cast<std::uint64_t>(me); i < n; i += static_cast<unsigned>(arguments.threads)) {
      map.put(i, i * 3);
      std::uint64_t value = 0;
      const std::uint64_t other = random.next() % n;
      if (map.get(other, value) && value != other * 3) mine = false;
      if (i % 4 == 0) map.erase(i);
    }
    const std::lock_guard lock(verdict);
    right = right && mine;
  });
  return finish(right && map.size() == n - (n + 3) / 4, "hashmap", static_cast<double>(map.size()));
}
