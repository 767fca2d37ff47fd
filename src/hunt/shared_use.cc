#include "hunt/shared_use.h"

#include <algorithm>

namespace isosan {
namespace {

constexpr std::size_t kMostGranules = 1 << 20;  // those met first
constexpr std::uint64_t kGranule = 8;

}  // namespace

void SharedUse::feed(std::span<const Event> batch) {
  for (const Event& event : batch) {
    const bool is_lock = event.kind == Kind::kAcquire && event.depth == 0;
    if (!is_lock && !is_access(event.kind)) continue;
    if (!is_lock && granules_.size() >= kMostGranules) continue;
    Use& use = is_lock ? locks_[event.address] : granules_[event.address / kGranule * kGranule];
    use.written |= is_lock || writes(event.kind);
    ++use.operations[index(event.thread)];
  }
}

std::vector<SelectedObject> SharedUse::objects(const Tables& tables) const {
  std::vector<SelectedObject> result;
  const auto add = [&](std::uint64_t address, std::uint64_t size, const Use& use) {
    if (!use.written || use.operations.size() < 2) return;
    SelectedObject object{.address = address, .size = size, .operations = {}};
    for (const auto& [thread, operations] : use.operations) {
      if (thread >= tables.threads.size()) continue;
      object.operations[tables.threads[thread].birth_path] = operations;
    }
    result.push_back(std::move(object));
  };
  for (const auto& [address, use] : granules_) add(address, kGranule, use);
  for (const auto& [address, use] : locks_) add(address, 1, use);
  std::ranges::sort(result, {}, &SelectedObject::address);
  return result;
}

}  // namespace isosan
