// The claim of granules: on return the thread may access the bytes, and knows whether the access is
// in the log. Single accesses (access.cc), blocks and loops (ranges.cc) are made of claims.
#pragma once

#include "runtime/ownership/transition.h"
#include "runtime/ownership/words.h"

namespace isosan::rt {

struct Outcome {
  bool news;     // not in the log yet
  bool ordered;  // nothing had to be waited for: checks of other granules made before still stand
};

inline Actor actor_of(const Thread& t) {
  return {make_tag(t.slot->index, epoch_of(t)), make_owner(t.slot->index), t.shared.limit};
}
inline auto covers_of(const Thread& t) {
  return [&t](std::uint32_t slot, std::uint64_t epoch) { return covers(t, slot, epoch); };
}

// One granule.
Outcome claim(Thread& t, std::uint64_t address, Word mask, Need need);

// Claims the first ones of `count` granules that are in the same state: nobody's, or of one thread
// whose epoch the clock covers. Returns how many. 0: use claim() for each.
std::uint64_t take_covered_granules(Thread& t, std::uint64_t address, std::uint64_t count,
                                    Need need);
// The same for granules that are read-shared: this thread may write to them.
std::uint64_t take_shared_granules(Thread& t, std::uint64_t address, std::uint64_t count);

inline void log_access(Thread& t, Kind kind, std::uint64_t address, std::uint64_t size,
                       std::uint64_t place) {
  if (logs_accesses(t)) append_access(t.block, kind, address, size, place);
}

}  // namespace isosan::rt
