// What a trace holds, in numbers: `isosan trace stat`.
//
// Model: counts over the linear stream. A location is the first byte of an access; a transaction is
// an outermost atomic region, as in docs/semantics.md.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "event/event.h"
#include "event/kind.h"

namespace isosan {

class EventCounts {
 public:
  void count(std::span<const Event> batch);
  std::string print() const;  // one "name value" per line

 private:
  struct ThreadState {
    bool seen = false;
    std::uint32_t depth = 0;      // of atomic regions
    std::uint64_t in_region = 0;  // events of the open transaction
  };

  void count(const Event& e);
  void end_transaction(ThreadState& thread);

  std::uint64_t events_ = 0;
  std::array<std::uint64_t, kKindCount> by_kind_{};
  absl::flat_hash_set<Address> locations_;
  absl::flat_hash_set<Address> locks_;
  std::vector<ThreadState> threads_;
  std::uint64_t transactions_ = 0;
  std::uint64_t longest_ = 0;  // events of the longest transaction, its edges included
  std::uint64_t unary_ = 0;    // events outside every transaction
};

}  // namespace isosan
