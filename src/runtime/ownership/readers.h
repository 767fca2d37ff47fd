// When threads last read words that are read-shared, as far as their filters and counts show it.
#pragma once

#include "runtime/ownership/read_shared.h"

namespace isosan::rt {

// The last epoch, at the latest, in which the slot's thread read one of these granules. `before`:
// while they were its own, or before this function could see.
std::uint64_t last_read_by(const Thread& t, const Slot& slot, const Granules& granules,
                           std::uint64_t before);
bool comes_after_all_shared_reads(const Thread& t);

// The last epoch in which slot s read a word that was its own then, of all words together.
inline std::uint64_t former_read(std::uint32_t slot) {
  return g_shared_clock.former_readers[slot].load(std::memory_order_acquire);  // order: clock
}

}  // namespace isosan::rt
