// Atomic operations. Their words are held while they run, so no access of theirs is ever
// outstanding (rule 10): the next thread needs a marker but no coordination.
#pragma once

#include <cstdint>

#include "runtime/ownership/coordinate.h"
#include "runtime/ownership/words.h"
#include "runtime/thread/thread.h"

namespace isosan::rt {

// An atomic operation holds its words while it runs: hold, operate, finish. In between nothing may
// be called. `finish` logs what it turned out to be.
struct HeldWords {
  std::uint64_t address = 0;
  std::uint64_t size = 0;
  Word before[3] = {};  // as they were when taken; kNotHeld: read-shared, read without holding
  int count = 0;
  bool contended = false;     // some are, and are to be logged
  bool written_anew = false;  // some may have been, since this thread last read them
  bool stays_shared = false;  // a read-shared word, held for a load alone
};
inline constexpr Word kNotHeld = ~Word{0};

void hold_words(Thread& t, HeldWords& held, std::uint64_t address, std::uint64_t size, bool writes);
void finish_atomic(Thread& t, const HeldWords& held, Kind kind, std::uint8_t order,
                   std::uint64_t place);

// The short way through hold_words: a load of a read-shared word whose writer this thread comes
// after. False: it was none.
inline bool begin_shared_load(Thread& t, HeldWords& held, std::uint64_t address,
                              std::uint64_t size) {
  if (must_answer(t) || g_operation_point != nullptr || t.ignore > 0 ||
      !g_mode.takes_atomics_inline || granule_part(address, address + size) != size) {
    return false;
  }
  const AtomicWord& word = shadow_word(address);
  const Word w = word.load(std::memory_order_acquire);  // order: word
  if (!shared_read_ordered(w, t.shared.limit)) return false;
  held.address = address;
  held.size = size;
  held.contended = held.written_anew = held.stays_shared = false;
  is_new_shared_read(t, address, byte_mask(address, size));
  if (!still_shared(t, address, word, w)) return false;
  held.before[0] = kNotHeld;
  held.count = 1;
  return true;
}
void log_fence(Thread& t, std::uint8_t order, std::uint64_t place);

}  // namespace isosan::rt
