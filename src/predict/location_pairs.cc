#include "predict/location_pairs.h"

#include <algorithm>
#include <map>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/container/inlined_vector.h"

namespace isosan::predict {
namespace {

using LocationNumber = std::uint32_t;

class UsedTogether {
 public:
  UsedTogether(const RegionTree& regions, bool threads_are_regions)
      : regions_(regions), threads_are_regions_(threads_are_regions) {}

  void add(const Touches& touches, SlotIndex slot) {
    for (const std::uint8_t bytes : touches.pieces(slot)) {
      const auto number = static_cast<LocationNumber>(locations_.size());
      locations_.push_back({slot, bytes});
      touches.for_each(slot, [&](const Touch& touch) {
        if ((touch.mask & bytes) != 0) add(touch.node, number);
      });
    }
  }

  std::vector<LocationPair> pairs() const {
    std::vector<std::uint64_t> executions(locations_.size());
    std::map<std::pair<LocationNumber, LocationNumber>, std::uint64_t> together;
    for (const auto& [node, used] : used_) {
      if (used.size() > kMostTogether || !is_widest(node)) continue;
      for (std::size_t i = 0; i < used.size(); ++i) {
        ++executions[used[i]];
        for (std::size_t k = 0; k < i; ++k) ++together[std::minmax(used[i], used[k])];
      }
    }
    std::vector<LocationPair> result;
    for (const auto& [pair, count] : together) {
      const auto [first, second] = pair;
      if (2 * count > std::max(executions[first], executions[second]))
        result.push_back({locations_[first], locations_[second]});
    }
    return result;
  }

 private:
  // What a node has, those around it have, too.
  void add(NodeIndex node, LocationNumber location) {
    for (; is_region(node); node = regions_.parent(node)) {
      auto& used = used_[node];
      if (used.size() > kMostTogether || std::ranges::find(used, location) != used.end()) return;
      used.push_back(location);
      if (regions_.is_root(node)) return;
    }
  }

  bool is_region(NodeIndex node) const { return threads_are_regions_ || !regions_.is_root(node); }

  bool is_widest(NodeIndex node) const {
    if (regions_.is_root(node)) return true;
    const NodeIndex parent = regions_.parent(node);
    return !is_region(parent) || used_.at(parent).size() > kMostTogether;
  }

  const RegionTree& regions_;
  const bool threads_are_regions_;
  std::vector<Location> locations_;
  // By node; one more than kMostTogether: and others.
  absl::flat_hash_map<NodeIndex, absl::InlinedVector<LocationNumber, 4>> used_;
};

}  // namespace

std::vector<LocationPair> locations_used_together(const ObservedRun& run, const Touches& touches,
                                                  bool threads_are_regions) {
  UsedTogether used(run.regions(), threads_are_regions);
  for (SlotIndex slot = 0; slot < touches.slots(); ++slot) used.add(touches, slot);
  return used.pairs();
}

}  // namespace isosan::predict
