// The accesses to the slots that threads share, slot by slot, in linear order.
//
// Model: a scan of the run gathers the accesses to as many slots as kMostAtOnce of them fit; further
// slots need a scan of their own. One slot that has more than that is scanned for whenever it is
// asked for. So the memory that this takes does not grow with the run.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "predict/observed_run.h"

namespace isosan::predict {

struct Touch {
  OperationId id;
  NodeIndex node = 0;
  std::uint32_t lock_events = 0;  // of its thread, before it
  StateIndex state = kNoLocks;    // after these
  ShapeIndex shape = 0;
  std::uint8_t mask = 0;  // bytes of the slot
};

class Touches {
 public:
  explicit Touches(const ObservedRun& run, std::uint64_t most_at_once = kMostAtOnce);
  static constexpr std::uint64_t kMostAtOnce = 4'000'000;

  SlotIndex slots() const { return static_cast<SlotIndex>(starts_.size() - 1); }
  bool is_shared(SlotIndex slot) const { return starts_[slot] != starts_[slot + 1]; }

  // Gathers the accesses to `first` and to as many slots behind it as possible; returns the first
  // one that it did not come to.
  SlotIndex gather(SlotIndex first);
  bool are_all_here() const { return first_ == 0 && end_ == slots() && !is_scanned_; }

  // Calls f(Touch). The slot is one of those that were gathered.
  template <class F>
  void for_each(SlotIndex slot, F&& f) const {
    if (!is_scanned_) {
      for (const Touch& touch : of(slot)) f(touch);
      return;
    }
    scan(slot, slot + 1, [&](SlotIndex, const Touch& touch) { f(touch); });
  }
  std::span<const Touch> of(SlotIndex slot) const {
    return std::span(touches_).subspan(starts_[slot] - starts_[first_],
                                       starts_[slot + 1] - starts_[slot]);
  }
  // The bytes that are accessed, grouped by which accesses cover them: the locations of the slot.
  std::vector<std::uint8_t> pieces(SlotIndex slot) const;

 private:
  // Calls f(SlotIndex, Touch) for the accesses to the shared ones among the slots [first, end).
  template <class F>
  void scan(SlotIndex first, SlotIndex end, F&& f) const;

  const ObservedRun& run_;
  const std::uint64_t most_at_once_;
  std::vector<std::uint64_t> starts_;  // by slot, as if all were here
  std::vector<Touch> touches_;         // of the slots [first_, end_)
  SlotIndex first_ = 0, end_ = 0;
  bool is_scanned_ = false;  // it is one slot, with too many touches
};

template <class F>
void Touches::scan(SlotIndex first, SlotIndex end, F&& f) const {
  struct Locks {
    std::uint32_t events = 0;
    StateIndex state = kNoLocks;
  };
  std::vector<Locks> threads(run_.threads().size());
  run_.for_each_operation([&](const Placed& operation) {
    auto& [events, state] = threads[operation.thread];
    if (is_access(operation.kind)) {
      run_.for_each_part(operation, [&](Part part) {
        if (part.slot < first || part.slot >= end || !run_.locations().shared(part.slot)) return;
        f(part.slot,
          Touch{operation.id, operation.node, events, state, operation.shape, part.mask});
      });
    } else if (operation.kind == Kind::kAcquire || operation.kind == Kind::kRelease) {
      const LockTimeline& locks = run_.threads()[operation.thread].locks;
      if (events < locks.event_count() && locks.at(events) == operation.id.index)
        state = locks.state_before(++events);
    }
  });
}

}  // namespace isosan::predict
