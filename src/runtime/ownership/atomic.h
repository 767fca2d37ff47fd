// Atomic operations: they run while their words are held, so nothing of theirs is ever outstanding,
// and the next thread needs a marker but no coordination.
#pragma once

#include <cstdint>

#include "runtime/ownership/thread.h"

namespace isosan::rt {

// An atomic operation holds its words while it runs: hold, operate, finish. In between nothing may
// be called. `finish` logs what it turned out to be.
struct HeldWords {
  std::uint64_t address = 0;
  std::uint64_t size = 0;
  Word before[3] = {};  // as they were when taken; kNotHeld: read-shared, read without holding
  int count = 0;
  bool contended = false;  // some are, and are to be logged
};
inline constexpr Word kNotHeld = ~Word{0};

void hold_words(Thread& t, HeldWords& held, std::uint64_t address, std::uint64_t size, bool writes);
void finish_atomic(Thread& t, const HeldWords& held, Kind kind, std::uint8_t order,
                   std::uint64_t place);

void log_fence(Thread& t, std::uint8_t order, std::uint64_t place);

}  // namespace isosan::rt
