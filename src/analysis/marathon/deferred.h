// Deferred accesses: what open units did without a conflict (blocks.h).
//
// Model: accesses to one block stand in a list of the unit and are linked from the block (`Chain`).
// When another unit conflicts there, only that chain is entered, once. Walks over several blocks
// are in a list of their own and stay there when one of their blocks is entered; entering the rest
// of them leaves out blocks in detail. The accesses of a unit that ends without a conflict are
// dropped. Law: no access to memory that was freed since is kept.
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

struct Deferred {  // one access, one walk, or walks at a fixed distance from each other
  Access first;
  std::uint64_t count = 1, stride = 0;
  SetId set = kNoSet;
  bool write = false;
  std::uint64_t walks = 1, pitch = 0;  // each is `pitch` bytes (modulo 2^64) from the last one

  static bool is_negative(std::uint64_t distance) {
    return static_cast<std::int64_t>(distance) < 0;
  }
  bool goes_down() const { return is_negative(stride); }
  Address begin() const {
    return first.address + (goes_down() ? (count - 1) * stride : 0) +
           (is_negative(pitch) ? (walks - 1) * pitch : 0);
  }
  Address end() const {
    return first.address + first.size + (goes_down() ? 0 : (count - 1) * stride) +
           (is_negative(pitch) ? 0 : (walks - 1) * pitch);
  }
  Deferred walk(std::uint64_t number) const {
    Deferred one = *this;
    one.first.address += number * pitch;
    one.walks = 1;
    return one;
  }
  bool is_of_shape(const Access& e, std::uint64_t many, std::uint64_t apart, bool writes) const {
    return count == many && stride == apart && first.size == e.size && write == writes;
  }
  // Appends a walk of the same shape, if its distance from the last one is `pitch`.
  bool takes(const Deferred& next) {
    if (!is_of_shape(next.first, next.count, next.stride, next.write) || set != next.set ||
        first.where.site != next.first.where.site ||
        first.where.context != next.first.where.context) {
      return false;
    }
    const std::uint64_t distance = next.first.address - walk(walks - 1).first.address;
    if (walks == 1) pitch = distance;
    if (distance != pitch) return false;
    ++walks;
    return true;
  }
  // The number of the first element that begins in [from, to), in the walk's direction; if none
  // does, of one beyond that range.
  std::uint64_t first_from(Address from, Address to) const {
    if (stride == 0) return 0;
    if (!goes_down()) {
      return first.address >= from ? 0 : (from - first.address + stride - 1) / stride;
    }
    return first.address < to ? 0 : (first.address - to) / -stride + 1;
  }
  bool overlaps(Address from, Address to) const { return begin() < to && from < end(); }
};

// The accesses of a unit to one block: the number of the last one, counted over all accesses that
// the unit deferred; each has the number of the one before. 0: none.
using Chain = std::uint64_t;

class DeferredAccesses {
 public:
  // At most so many accesses of one unit are kept; beyond that they are entered.
  explicit DeferredAccesses(std::size_t most) : most_(most) {}

  // An access that lies in one block. False: there are too many now.
  bool add(UnitRef unit, const Access& e, SetId set, bool write, Chain& chain) {
    List& list = list_of(unit);
    list.in_blocks.push_back({e.where.ordinal, e.address, chain, e.where.site, e.where.context, set,
                              static_cast<std::uint32_t>(e.size) << 1 | (write ? 1u : 0u)});
    chain = list.gone + list.in_blocks.size();
    return list.in_blocks.size() < most_;
  }
  // False: there are too many now.
  bool add_walk(UnitRef unit, const Deferred& walk) {
    List& list = list_of(unit);
    for (std::size_t i = 0, n = list.walks.size(); i < std::min(n, kLastWalks); ++i) {
      if (list.walks[n - 1 - i].takes(walk)) return true;
    }
    if (list.walks.empty()) have_walks_.push_back(unit);
    list.walks.push_back(walk);
    return list.walks.size() < kMostWalks;
  }

  bool any(UnitRef unit) const {
    const List* list = find(unit);
    return list != nullptr && !(list->in_blocks.empty() && list->walks.empty());
  }

  // Calls f(access, set, write) for what the unit did in a block, and drops it.
  template <class F>
  void take(UnitRef unit, Chain& chain, F&& f) {
    List* list = find(unit);
    for (Chain at = std::exchange(chain, 0); list != nullptr && at > list->gone;) {
      InBlock& one = list->at(at);
      at = one.before;
      take_one(one, f);
    }
  }
  // The same for all that it did in blocks.
  template <class F>
  void take_all(UnitRef unit, F&& f) {
    List* list = find(unit);
    if (list == nullptr) return;
    for (InBlock& one : list->in_blocks) take_one(one, f);
    list->clear();
  }

  template <class F>
  void for_each_walk(UnitRef unit, F&& f) const {
    if (const List* list = find(unit)) {
      for (const Deferred& walk : list->walks) f(walk);
    }
  }
  void clear_walks(UnitRef unit) {
    List* list = find(unit);
    if (list == nullptr || list->walks.empty()) return;
    list->walks.clear();
    have_walks_.erase(std::find(have_walks_.begin(), have_walks_.end(), unit));
  }

  void clear(UnitRef unit) {
    if (List* list = find(unit)) list->clear();
    clear_walks(unit);
  }

  // The memory is freed. Accesses that reach beyond it are handed to f first: those of a block ...
  template <class F>
  void forget_in_block(UnitRef unit, Chain& chain, Address from, Address to, F&& f) {
    List* list = find(unit);
    if (list == nullptr) return;
    for (Chain* link = &chain; *link > list->gone;) {
      InBlock& one = list->at(*link);
      const Address end = one.address + one.size();
      if (end <= from || to <= one.address) {
        link = &one.before;
        continue;
      }
      *link = one.before;
      if (one.address < from || to < end) take_one(one, f);
      one.size_and_write = 0;
    }
  }
  // ... and walks.
  template <class F>
  void forget_walks(Address from, Address to, F&& f) {
    for (std::size_t i = have_walks_.size(); i-- > 0;) {
      const UnitRef unit = have_walks_[i];
      std::vector<Deferred>& walks = by_slot_[unit.slot].walks;
      std::erase_if(walks, [&](const Deferred& walk) {
        if (!walk.overlaps(from, to)) return false;
        if (walk.begin() < from || to < walk.end()) f(unit, walk);
        return true;
      });
      if (walks.empty()) have_walks_.erase(have_walks_.begin() + static_cast<std::ptrdiff_t>(i));
    }
  }

 private:
  static constexpr std::size_t kMostWalks = 512, kLastWalks = 4;
  struct InBlock {
    std::uint64_t ordinal;
    Address address;
    Chain before;
    SiteId site;
    ContextId context;
    SetId set;
    std::uint32_t size_and_write;  // size 0: entered, or forgotten

    std::uint64_t size() const { return size_and_write >> 1; }
  };
  static_assert(sizeof(InBlock) == 40);
  struct List {
    UnitRef unit;
    std::uint64_t gone = 0;  // how many were removed from the front of in_blocks
    std::vector<InBlock> in_blocks;
    std::vector<Deferred> walks;

    InBlock& at(Chain number) { return in_blocks[number - gone - 1]; }
    void clear() {
      gone += in_blocks.size();
      in_blocks.clear();
    }
  };

  List* find(UnitRef unit) {
    return unit.slot < by_slot_.size() && by_slot_[unit.slot].unit == unit ? &by_slot_[unit.slot]
                                                                           : nullptr;
  }
  const List* find(UnitRef unit) const { return const_cast<DeferredAccesses*>(this)->find(unit); }
  List& list_of(UnitRef unit) {
    if (unit.slot >= by_slot_.size()) by_slot_.resize(unit.slot + 1);
    List& list = by_slot_[unit.slot];
    if (list.unit != unit) {
      list.unit = unit;
      list.gone = 0;
    }
    return list;
  }

  template <class F>
  static void take_one(InBlock& one, F&& f) {
    if (one.size_and_write == 0) return;
    const bool write = (one.size_and_write & 1) != 0;
    // The thread is the unit's.
    const Access e{{one.ordinal, {}, one.site, one.context}, one.address, one.size()};
    one.size_and_write = 0;
    f(e, one.set, write);
  }

  std::size_t most_;
  std::vector<List> by_slot_;
  std::vector<UnitRef> have_walks_;
};

}  // namespace isosan::marathon
