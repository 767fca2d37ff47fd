// Which interleavings a hunt has seen: every pair of neighbouring conflicting operations of two
// threads, in their order. Two accesses of one granule conflict if one of them writes; two
// acquisitions of one lock conflict.
//
// A pair is known by threads (birth path), places and kinds, not by addresses and counts: the same
// pair in the next round of a loop is nothing new.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "event/event.h"
#include "event/tables.h"

namespace isosan {

// The pairs of one run. Feed it in linear order.
class OrderedPairs {
 public:
  void feed(std::span<const Event> batch);
  // After the run.
  std::vector<std::uint64_t> keys(const Tables& tables) const;

 private:
  struct Operation {
    ThreadId thread{};
    SiteId site{};
    Kind kind{};

    bool operator==(const Operation&) const = default;
    template <class H>
    friend H AbslHashValue(H h, const Operation& o) {
      return H::combine(std::move(h), index(o.thread), index(o.site), o.kind);
    }
  };
  struct Location {
    Operation last_write{kNoThread}, last_read{kNoThread};
  };
  static constexpr ThreadId kNoThread{0xffffffff};

  void take_access(std::uint64_t granule, const Operation& now, bool writes);
  void take_pair(const Operation& before, const Operation& now);

  absl::flat_hash_map<std::uint64_t, Location> locations_;  // by granule
  absl::flat_hash_map<std::uint64_t, Operation> acquired_;  // by lock: by whom, last
  absl::flat_hash_set<std::pair<Operation, Operation>> pairs_;
};

class Coverage {
 public:
  // Returns how many of them are new.
  std::uint64_t add(std::span<const std::uint64_t> keys);
  std::uint64_t size() const { return seen_.size(); }

 private:
  absl::flat_hash_set<std::uint64_t> seen_;
};

}  // namespace isosan
