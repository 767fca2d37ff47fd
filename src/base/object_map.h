// State per synchronization object: a hash map with a small direct-mapped cache in front.
//
// Model: programs use few locks at a time; the cache turns nearly every lookup into one compare.
// Addresses of objects are stable until collect() removes them. `instance` distinguishes objects at
// one address (generations of a barrier); 0 elsewhere.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

#include "absl/container/flat_hash_map.h"

namespace isosan {

template <class Object>
class ObjectMap {
 public:
  [[gnu::always_inline]] Object& at(std::uint64_t address, std::uint64_t instance = 0) {
    CacheEntry& cached = cache_[(address >> 3 ^ address >> 9 ^ instance) % kCacheSize];
    if (cached.address != address || cached.instance != instance) [[unlikely]] {
      fill(cached, address, instance);
    }
    return *cached.object;
  }

  // The object at an address (instance 0) if it is cached; otherwise nullptr.
  [[gnu::always_inline]] Object* recent(std::uint64_t address) const {
    const CacheEntry& cached = cache_[(address >> 3 ^ address >> 9) % kCacheSize];
    return cached.address == address && cached.instance == 0 ? cached.object : nullptr;
  }

  std::size_t size() const { return objects_.size(); }

  // Removes the objects for which `is_dead` holds. Invalidates all references to objects.
  template <class F>
  void collect(F&& is_dead) {
    cache_ = {};
    absl::erase_if(objects_, [&](const auto& entry) { return is_dead(*entry.second); });
  }

 private:
  using Key = std::pair<std::uint64_t, std::uint64_t>;
  struct alignas(32) CacheEntry {
    std::uint64_t address = 0;
    std::uint64_t instance = ~std::uint64_t{0};  // matches no object
    Object* object = nullptr;
  };

  [[gnu::noinline]] void fill(CacheEntry& cached, std::uint64_t address, std::uint64_t instance) {
    std::unique_ptr<Object>& object = objects_[Key{address, instance}];
    if (!object) object = std::make_unique<Object>();
    cached = {address, instance, object.get()};
  }

  static constexpr std::size_t kCacheSize = 64;

  absl::flat_hash_map<Key, std::unique_ptr<Object>> objects_;
  std::array<CacheEntry, kCacheSize> cache_{};
};

}  // namespace isosan
