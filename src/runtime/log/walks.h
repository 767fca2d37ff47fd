// Loops of the __tsan_* front: where one instruction accesses element after element, one stride
// apart, the accesses are gathered and logged as one record, as the pass does with counted loops.
//
// Each instruction has an entry (by hash) that predicts its next address. An access at the
// predicted address opens a walk. The walk then grows in the entry and is not in the log yet. Law:
// no thread may depend on a walk before it is in the log (rule 12). So a walk is closed
// - before anything else is appended. While a walk is open the block seems to have no room, so
//   every append, that of the pass's code included, comes to wait_for_room;
// - before the thread's epoch ends, before the thread is at a safe point, and before it ends. A
//   thread that wants a word used in this epoch waits for one of these.
//
// Between two of these moments the thread's own accesses may be in the log in any order, as those
// of a counted loop are. If the program dies, the reader finds the open walks in the block.
#pragma once

#include "runtime/contract/log_walk.h"
#include "runtime/log/log.h"

namespace isosan::rt {

// Called before anything else is appended, and before another thread may depend on this one.
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
// If the program dies, the reader takes the walks as they are: the stores must stay in order.
[[gnu::always_inline]] inline void keep_order_of_stores() { asm volatile("" ::: "memory"); }

// No other thread reads an open walk, so these stores need no memory order. If the program dies in
// between, the reader finds one access too many, the one before the walk's first; none is missing.
[[gnu::always_inline]] inline void go_on(log::Walk& walk, std::uint64_t address) {
  ++walk.count;
  keep_order_of_stores();
  walk.next = address + log::step_of(walk);
}

inline std::uint32_t low_epoch(const log::ThreadBlock* block) {
  return static_cast<std::uint32_t>(epoch_of(block->tag));
}

// Of a closed walk: is this the predicted address, and were enough predictions before it right?
// Those of an epoch that has ended do not count: where epochs are that short the walk would be
// short, too.
inline bool may_open(const log::Walk& walk, std::uint32_t epoch, std::uint64_t place,
                     std::uint64_t address) {
  return walk.place == (place | log::kWalkClosed) && walk.next == address &&
         walk.count >= walk.hurdle && walk.begun == epoch;
}

// Predicts the next address of a closed walk that has come to `address`. A stride that does not fit
// into the entry is kept as 0, and opens no walk.
[[gnu::always_inline]] inline void predict_next(log::Walk& walk, std::uint32_t epoch,
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

// Is there room for an access and all walks that it may close? Then logging it does not wait.
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
  predict_next(walk, epoch, place, address);
  append_at_place(block, place, address, size);
}

inline void log_in_walk(log::ThreadBlock* block, std::uint64_t place, std::uint64_t address,
                        std::uint32_t size) {
  log::Walk& walk = walk_at(block, place);
  if (!comes_next(walk, place, address)) return log_anew(block, place, address, size);
  go_on(walk, address);
}

}  // namespace isosan::rt
