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

// Of `count` granules the first ones that stand alike, nobody's or of another whom the clock
// covers: this thread may access them. 0 where claim() has to ask for each.
std::uint64_t take_covered_granules(Thread& t, std::uint64_t address, std::uint64_t count,
                                    Need need);
// The same of those that are read-shared: this thread may write to them.
std::uint64_t take_shared_granules(Thread& t, std::uint64_t address, std::uint64_t count);

inline void log_access(Thread& t, Kind kind, std::uint64_t address, std::uint64_t size,
                       std::uint64_t place) {
  if (logs_accesses(t)) append_access(t.block, kind, address, size, place);
}

}  // namespace isosan::rt
