// What the quiet mode keeps of a slot, and what one thread does to the transaction of another.
// Private to the quiet mode.
#pragma once

#include "runtime/modes/drops.h"
#include "runtime/thread/thread.h"

namespace isosan::rt::quiet {

// Where a log may be read up to.
struct Visible {
  std::uint32_t thread = 0;
  std::uint64_t position = 0;
};

// All needs the slot's lock, except where Drops says otherwise.
struct OfSlot {
  Drops drops;
  log::ThreadBlock* block = nullptr;  // null: the thread has ended
  std::uint32_t thread = 0;           // that has or had the slot
  std::uint64_t final_position = 0;   // of an ended one
  // By slot: how far the order markers in the visible part of this slot's logs reach. The slot's own
  // threads only. The log of the next one comes after that of the last. Pages on demand.
  Visible* ordered = nullptr;
};
inline OfSlot& slot_state(const Slot& slot) { return *static_cast<OfSlot*>(slot.of_mode); }

// How often a transaction that was logged became a dropped one.
extern std::atomic<std::uint64_t> g_generation;

bool is_dropped(std::uint32_t slot, std::uint64_t epoch);

// Null: no thread has begun in the slot.
OfSlot* known_of(Slot& slot);
// The thread begins in its slot, or goes on in it.
void enter(Thread& t);
Visible visible_of(Slot& slot);

// With the lock: what the slot's thread has appended so far stays in its log.
void make_visible(OfSlot& slot);

// The transaction of this epoch is not dropped: what it has appended stays. False: it is dropped by
// now. `closed` is the last epoch that is over, read before the position.
bool keep_transaction(Slot& slot, std::uint64_t epoch, Visible& visible, std::uint64_t& closed);

}  // namespace isosan::rt::quiet
