// The shared log, seen from inside: the mapping, the modes the reader asked for, and the append.
//
// Law: a unit is complete before the position moves over it, in program order (the reader's
// membarrier makes that enough, log_format.h). A thread waits in append() only for the reader, and
// the reader waits for no thread: waiting there never deadlocks.
#pragma once

#include <atomic>
#include <cstdint>

#include "runtime/contract/fast_path.h"
#include "runtime/contract/log_format.h"
#include "runtime/contract/log_layout.h"
#include "runtime/platform/check.h"

namespace isosan::rt {

struct LogMapping {
  log::LogHeader* header = nullptr;  // null: there is no reader, the program runs unobserved
  log::LogLayout layout;             // checked; what the header says later does not count
  bool release_stores = false;
  bool gathers_loops = false;    // ThreadBlock::gathers
  bool vtable_pointers = false;  // ThreadBlock::vtable_pointers
  // After so many units a thread asks for room anew, though the ring has more.
  std::uint64_t most_at_once = ~std::uint64_t{0};
  // Called before the first append of a thread that has hidden its room.
  void (*before_append)(log::ThreadBlock*) = nullptr;
  // Called before a thread that has no room waits for some. Null: nothing is to be done.
  void (*before_waiting)(log::ThreadBlock*) = nullptr;
};
extern LogMapping g_log;

// True: there is a log for this process, which ISOSAN_LOG_FD names or the run's server gave.
bool attach_log();
// The reader is gone, or this is a forked child: what is appended from now on is thrown away.
void detach_log();

log::ThreadBlock* claim_block();  // null: as many threads as there are blocks are alive
void publish_block(log::ThreadBlock* block);
void end_block(log::ThreadBlock* block);

// Up to where a thread may append without asking: as far as the reader is done with the ring, and
// `most` units at most. kNobodyReads: nobody reads.
std::uint64_t limit_of(const log::ThreadBlock& block, std::uint64_t most);
inline constexpr std::uint64_t kNobodyReads = ~std::uint64_t{0};

// A thread that must do something before its next append hides its room: then that append, which
// may be one of compiled code, comes to wait_for_room.
inline void hide_room(log::ThreadBlock& block) {
  if (block.limit == block.position) return;
  block.room = block.limit;
  block.limit = block.position;
}
inline void show_room(log::ThreadBlock& block) {
  if (block.limit == block.position && block.room > block.position) block.limit = block.room;
}

// Returns with room for so many units.
void wait_for_room(log::ThreadBlock* block, std::uint64_t count);

// Units that the reader sees all or none of.
template <std::uint64_t count>
inline void append(log::ThreadBlock* block, const log::LogUnit (&units)[count]) {
  if (block->limit - block->position < count) [[unlikely]]
    wait_for_room(block, count);
  const std::uint64_t position = block->position;
  ISOSAN_DEBUG_CHECK(block->limit - position >= count);
  __builtin_prefetch(reinterpret_cast<const void*>(
                         block->ring + 16 * ((position + kPrefetchUnits) & block->ring_mask)),
                     1);
  for (std::uint64_t i = 0; i < count; ++i) {
    *reinterpret_cast<log::LogUnit*>(block->ring + 16 * ((position + i) & block->ring_mask)) =
        units[i];
  }
  asm volatile("" ::: "memory");
  std::atomic_ref<std::uint64_t> cursor(block->position);
  if (g_log.release_stores) {
    cursor.store(position + count, std::memory_order_release);  // order: log
  } else {
    cursor.store(position + count, std::memory_order_relaxed);
  }
}

inline void append(log::ThreadBlock* block, log::LogUnit unit) { append<1>(block, {unit}); }

inline log::LogUnit number_unit(log::Code code, std::uint64_t number) {
  return {std::uint64_t{static_cast<std::uint8_t>(code)} << 48, number};
}

inline void append_event(log::ThreadBlock* block, Kind kind, std::uint64_t address,
                         std::uint64_t place, std::uint8_t detail = 0, std::uint16_t extra = 0) {
  append(block, log::make_unit(log::code_of(kind), address, place, detail, extra));
}

inline void append_number(log::ThreadBlock* block, log::Code code, std::uint64_t number) {
  append(block, number_unit(code, number));
}

inline void append_marker(log::ThreadBlock* block, log::Code code, std::uint32_t thread,
                          std::uint64_t position) {
  append(block, log::make_unit(static_cast<std::uint8_t>(code), position, thread));
}

// The marker of a thread that observes what another one published at the end of its log [0,
// position).
inline void append_sync_marker(log::ThreadBlock* block, std::uint32_t thread,
                               std::uint64_t position) {
  append(block, log::make_unit(static_cast<std::uint8_t>(log::Code::kMarker), position, thread, 1));
}

inline void append_access(log::ThreadBlock* block, Kind kind, std::uint64_t address,
                          std::uint64_t size, std::uint64_t place, std::uint16_t order = 0) {
  if (size < 256 && size != 0) {
    append_event(block, kind, address, place, static_cast<std::uint8_t>(size), order);
    return;
  }
  append_event(block, kind, address, place, 0, order);
  append_number(block, log::Code::kExtension, size);
}

}  // namespace isosan::rt
