#include "hunt/coverage.h"

#include <algorithm>
#include <functional>
#include <string>

#include "hunt/site_key.h"

namespace isosan {
namespace {

constexpr std::uint64_t kMostGranules = 64;  // of one access

std::uint64_t mixed(std::uint64_t hash, std::uint64_t value) {
  return (hash ^ value) * 0x9e3779b97f4a7c15u + (hash >> 29);
}

}  // namespace

void OrderedPairs::feed(std::span<const Event> batch) {
  for (const Event& event : batch) {
    const Operation now{event.thread, event.site, event.kind};
    if (event.kind == Kind::kAcquire && event.depth == 0) {
      const auto [found, first] = acquired_.try_emplace(event.address, now);
      if (!first) take_pair(found->second, now);
      found->second = now;
    }
    if (!is_access(event.kind)) continue;
    const std::uint64_t size = is_walk(event) ? steps_of(event).size : event.size;
    const std::uint64_t first = event.address >> 3;
    const std::uint64_t last = (event.address + std::max<std::uint64_t>(size, 1) - 1) >> 3;
    for (std::uint64_t granule = first; granule <= std::min(last, first + kMostGranules);
         ++granule) {
      take_access(granule, now, writes(event.kind));
    }
  }
}

void OrderedPairs::take_access(std::uint64_t granule, const Operation& now, bool is_write) {
  Location& location = locations_[granule];
  take_pair(location.last_write, now);
  if (is_write) {
    take_pair(location.last_read, now);
    location = {now, {kNoThread}};
  } else {
    location.last_read = now;
  }
}

void OrderedPairs::take_pair(const Operation& before, const Operation& now) {
  if (before.thread == kNoThread || before.thread == now.thread) return;
  pairs_.emplace(before, now);
}

std::vector<std::uint64_t> OrderedPairs::keys(const Tables& tables) const {
  std::vector<std::uint64_t> sites, threads;
  for (const Site& site : tables.sites) sites.push_back(key_of(site));
  for (const Thread& thread : tables.threads) {
    threads.push_back(std::hash<std::string>()(thread.birth_path));
  }
  const auto value = [](const std::vector<std::uint64_t>& of, std::size_t i) {
    return i < of.size() ? of[i] : 0;
  };
  const auto add = [&](std::uint64_t hash, const Operation& o) {
    hash = mixed(hash, value(threads, index(o.thread)));
    return mixed(mixed(hash, value(sites, index(o.site))), static_cast<std::uint64_t>(o.kind));
  };
  std::vector<std::uint64_t> keys;
  for (const auto& [before, now] : pairs_) keys.push_back(add(add(1, before), now));
  return keys;
}

std::uint64_t Coverage::add(std::span<const std::uint64_t> keys) {
  return static_cast<std::uint64_t>(
      std::count_if(keys.begin(), keys.end(), [&](auto key) { return seen_.insert(key).second; }));
}

}  // namespace isosan
