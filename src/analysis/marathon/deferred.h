// Accesses that have been put off: what open units did where nobody was in their way (blocks.h).
//
// Model: a list for each unit, as long as it is open. When somebody comes into its way in a block,
// what it did there is entered, and stays in the list; whoever enters the rest leaves out blocks
// that are in detail. A unit that ends without a conflict leaves no trace.
// Law: no access is kept of memory that was freed since.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "analysis/marathon/conflict_graph.h"
#include "analysis/marathon/set_model.h"
#include "event/event.h"

namespace isosan::marathon {

struct Deferred {  // elements of one walk, or one
  Access first;
  std::uint64_t count = 1, stride = 0;
  SetId set = kNoSet;
  bool write = false;

  bool goes_down() const { return static_cast<std::int64_t>(stride) < 0; }
  Address begin() const {
    return goes_down() ? first.address + (count - 1) * stride : first.address;
  }
  Address end() const {
    return (goes_down() ? first.address : first.address + (count - 1) * stride) + first.size;
  }
  // The number of the first element that begins in [from, to), or beyond that; all that do follow.
  std::uint64_t first_from(Address from, Address to) const {
    if (stride == 0) return 0;
    if (!goes_down()) {
      return first.address >= from ? 0 : (from - first.address + stride - 1) / stride;
    }
    return first.address < to ? 0 : (first.address - to) / -stride + 1;
  }
  bool overlaps(Address from, Address to) const { return begin() < to && from < end(); }
};

class DeferredAccesses {
 public:
  static constexpr std::size_t kMost = 512;  // of one unit; more are entered

  // False: there are too many now.
  bool add(UnitRef unit, const Deferred& access) {
    if (unit.slot >= by_slot_.size()) by_slot_.resize(unit.slot + 1);
    std::vector<Deferred>& list = by_slot_[unit.slot];
    if (list.empty()) units_.push_back(unit);
    list.push_back(access);
    return list.size() < kMost;
  }
  bool any(UnitRef unit) const {
    return unit.slot < by_slot_.size() && !by_slot_[unit.slot].empty();
  }

  template <class F>
  void for_each(UnitRef unit, Address from, Address to, F&& f) const {
    if (unit.slot >= by_slot_.size()) return;
    for (const Deferred& access : by_slot_[unit.slot]) {
      if (access.overlaps(from, to)) f(access);
    }
  }
  template <class F>
  void for_each(UnitRef unit, F&& f) const {
    for (const Deferred& access : by_slot_[unit.slot]) f(access);
  }

  void clear(UnitRef unit) {
    if (!any(unit)) return;
    by_slot_[unit.slot].clear();
    units_.erase(std::find(units_.begin(), units_.end(), unit));
  }

  // The memory is freed. What reaches beyond it is entered by f before.
  template <class F>
  void forget(Address from, Address to, F&& f) {
    for (std::size_t i = units_.size(); i-- > 0;) {
      const UnitRef unit = units_[i];
      std::vector<Deferred>& list = by_slot_[unit.slot];
      std::erase_if(list, [&](const Deferred& access) {
        if (!access.overlaps(from, to)) return false;
        if (access.begin() < from || to < access.end()) f(unit, access);
        return true;
      });
      if (list.empty()) units_.erase(units_.begin() + static_cast<std::ptrdiff_t>(i));
    }
  }

 private:
  std::vector<std::vector<Deferred>> by_slot_;
  std::vector<UnitRef> units_;  // that have any
};

}  // namespace isosan::marathon
