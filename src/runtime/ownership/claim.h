// What transfer.cc (single accesses) and ranges.cc (blocks and strided loops) share: the claim of
// one granule. Private to the two.
#pragma once

#include "runtime/thread/thread.h"

namespace isosan::rt {

enum class Need { kRead, kWrite };
constexpr Kind kind_of(Need need) { return need == Need::kWrite ? Kind::kWrite : Kind::kRead; }

struct Outcome {
  bool news;     // not in the log yet
  bool ordered;  // nothing had to be waited for: checks of other granules made before still stand
};

// One granule. On return the thread may access these bytes.
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
