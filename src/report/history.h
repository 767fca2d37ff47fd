// The recent past of a run, for its report: which locks a thread held at an event, which heap block
// an address was in.
//
// Model: it is fed every batch beside the analyses. Of locks it keeps what each thread holds now
// and the last kKept lock operations; the locks held at an earlier event are found by undoing the
// operations after it. Of memory it keeps the blocks that are allocated now, up to kMostBlocks. It
// is queried as soon as there is a finding; for an event that is too old by then it has no answer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "absl/container/btree_map.h"
#include "event/finding.h"
#include "report/evidence.h"

namespace isosan {

class History {
 public:
  static constexpr std::size_t kKept = 1 << 12;
  static constexpr std::size_t kMostBlocks = 1 << 20;

  void feed(std::span<const Event> batch, std::uint64_t first_ordinal);
  StepEvidence of(const FindingStep& step) const;
  // Does it know all lock operations since this event?
  bool reaches(std::uint64_t ordinal) const {
    return operations_ <= kKept || ring_[operations_ % kKept].where.ordinal < ordinal;
  }

 private:
  struct LockOperation {
    bool acquired;
    HeldLock held;  // what was acquired or released
    Where where;
  };

  void take(const Event& event, std::uint64_t ordinal);
  void acquire(const Event& event, const Where& where);
  void release(const Event& event, const Where& where);
  void keep(const LockOperation& operation);
  std::vector<HeldLock> locks_at(const Where& where) const;

  std::vector<std::vector<HeldLock>> held_;  // by thread
  std::vector<LockOperation> ring_;
  std::uint64_t operations_ = 0;  // in total; the last ones are in the ring
  absl::btree_map<Address, MemoryBlock> blocks_;
};

}  // namespace isosan
