// Loops of the __tsan_* front: where one instruction accesses element after element, one stride
// apart, the accesses are gathered and logged as one record, as the pass does with counted loops.
//
// Each instruction has an entry (by hash) that foretells its next address. What comes as foretold
// opens a walk, which then grows in the entry and is not in the log yet. Law: nobody may depend on
// it before it is. So it is closed before anything else is appended (while a walk is open the block
// seems to have no room: every way into the log, that of the pass's code included, comes to
// wait_for_room), and before the thread's epoch ends, it stands at a safe point, or ends itself:
// who wants a word that it used in this epoch waits for one of these. Between two of them a
// thread's own accesses may stand in the log in any order, as those of a counted loop do. What is
// open when the program dies the reader finds in the block.
#pragma once

#include "runtime/contract/log_walk.h"
#include "runtime/log/log.h"

namespace isosan::rt {

// Something else follows in the log, or somebody may look at what this thread has done.
void close_open_walks(log::ThreadBlock* block);
inline void close_walks(log::ThreadBlock* block) {
  if (block->open_walks != 0) [[unlikely]]
    close_open_walks(block);
}

inline log::Walk& walk_at(log::ThreadBlock* block, std::uint64_t place) {
  return block->walks[(place ^ place >> 4) / 4 % log::kWalks];
}

// An access at the program counter `place` (with kWalkWrites): does it go on in an open walk?
[[gnu::always_inline]] inline bool comes_next(const log::Walk& walk, std::uint64_t place,
                                              std::uint64_t address) {
  const std::uint64_t next = walk.next;
  return (walk.place == place) & (next == address);
}
// The reader finds walks as they stand when the program dies: stores for it keep their order.
[[gnu::always_inline]] inline void keep_order_of_stores() { asm volatile("" ::: "memory"); }

// That is all. What it does is ordered by nothing: nobody looks at an open walk. Who dies in
// between has the access before the walk in it, too, not one too few.
[[gnu::always_inline]] inline void go_on(log::Walk& walk, std::uint64_t address) {
  ++walk.count;
  keep_order_of_stores();
  walk.next = address + log::step_of(walk);
}

inline std::uint32_t low_epoch(const log::ThreadBlock* block) {
  return static_cast<std::uint32_t>(epoch_of(block->tag));
}

// What is closed: does it come as foretold, and did enough before? What came so in an epoch that
// has ended does not count: where epochs are that short the walk would be, too.
inline bool may_open(const log::Walk& walk, std::uint32_t epoch, std::uint64_t place,
                     std::uint64_t address) {
  return walk.place == (place | log::kWalkClosed) && walk.next == address &&
         walk.count >= walk.hurdle && walk.begun == epoch;
}

// Of a walk that is closed and has come to `address`. Strides that have no room stand still, and
// open nothing.
[[gnu::always_inline]] inline void foretell(log::Walk& walk, std::uint32_t epoch,
                                            std::uint64_t place, std::uint64_t address) {
  if (walk.place != (place | log::kWalkClosed)) {
    walk = {.place = place | log::kWalkClosed, .next = address, .hurdle = 1, .begun = epoch};
    return;
  }
  const std::uint64_t stride = address - walk.next + log::step_of(walk);
  walk.count = walk.next == address && walk.begun == epoch ? walk.count + 1 : 0;
  walk.begun = epoch;
  walk.stride = static_cast<std::int32_t>(stride);
  if (log::step_of(walk) != stride) walk.stride = 0;
  walk.next = address + log::step_of(walk);
}

inline void append_at_place(log::ThreadBlock* block, std::uint64_t place, std::uint64_t address,
                            std::uint32_t size) {
  append_event(block, (place & log::kWalkWrites) != 0 ? Kind::kWrite : Kind::kRead, address, place,
               static_cast<std::uint8_t>(size));
}

// Room for an access and all walks that it may close: to log it waits for nobody.
inline bool has_room_beside_walks(const log::ThreadBlock* block) {
  constexpr std::uint64_t kMost = log::kWalks * log::kWalkUnits + 1;
  const std::uint64_t limit = block->open_walks != 0 ? block->room : block->limit;
  return limit - block->position >= kMost;
}

// The access does not go on in an open walk: it is logged on its own, or opens one.
void log_beside_walks(log::ThreadBlock* block, std::uint64_t place, std::uint64_t address,
                      std::uint32_t size);
[[gnu::always_inline]] inline void log_anew(log::ThreadBlock* block, std::uint64_t place,
                                            std::uint64_t address, std::uint32_t size) {
  log::Walk& walk = walk_at(block, place);
  const std::uint32_t epoch = low_epoch(block);
  if (block->open_walks != 0 || may_open(walk, epoch, place, address)) [[unlikely]]
    return log_beside_walks(block, place, address, size);
  foretell(walk, epoch, place, address);
  append_at_place(block, place, address, size);
}

inline void log_in_walk(log::ThreadBlock* block, std::uint64_t place, std::uint64_t address,
                        std::uint32_t size) {
  log::Walk& walk = walk_at(block, place);
  if (!comes_next(walk, place, address)) return log_anew(block, place, address, size);
  go_on(walk, address);
}

}  // namespace isosan::rt
