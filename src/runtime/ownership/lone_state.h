// What slots and threads keep to leave lone units out of the log (lone_units.h).
#pragma once

#include <atomic>
#include <cstdint>

#include "event/log_format.h"

namespace isosan::rt {

struct LivingUnits {  // of a thread; none: 0
  std::uint64_t slot : 12 = 0;
  std::uint64_t units : 52 = 0;  // as in the slot
};
struct MetLiving {
  std::atomic<LivingUnits> units{};
  std::atomic<std::uint64_t> by{0};  // units of the slot that met them, or some before; set later
};
inline constexpr std::uint32_t kMaxLiving = 4;

// Of calls of a function: whether it is worth while to withhold them.
struct WithheldBefore {
  std::uint64_t function = 0;
  std::uint32_t in_vain = 0;  // so often in a row
  std::uint32_t pause = 0;    // so many will not be
};
inline constexpr std::uint64_t kWithheldBefore = 64;
// Units of the log that are not told yet, and what tells whether they need be (lone_units.h).
inline constexpr std::uint64_t kWithheldUnits = 1 << 19;
inline constexpr std::uint32_t kMaxWithheldLocks = 8;
struct Withheld {
  bool marks_left = false;           // of what was told since, shadow words say that it is logged
  std::uint64_t told = 0;            // position: what is before it is in the log, or left out
  WithheldBefore* before = nullptr;  // of the outermost call, in `functions`
  WithheldBefore functions[kWithheldBefore] = {};
  bool in_told_call = false;     // the outermost call is in the log: so must be its end
  std::uint64_t told_edges = 0;  // so many of the open ones are not of what is withheld
  bool has_memory = false;       // some was allocated or freed
  std::uint32_t lock_count = 0;  // locks that were acquired, and are held, since it began
  std::uint64_t locks[kMaxWithheldLocks] = {};
  log::ThreadBlock block{.limit = kWithheldUnits, .ring_mask = kWithheldUnits - 1};
};
// What the innermost open call does last: it gives up a lock (abi/lone_calls.h).
struct LastRelease {
  std::uint64_t function = 0;
  std::uint64_t lock = 0;
  std::uint64_t units = 0;  // the slot's at that time
};
struct Company {
  bool alone = false;            // nothing that this thread may meet comes after a living unit
  bool looking = false;          // the others were looked at; who lived then has to end
  bool has_met = true;           // something since the last look that found all ended
  std::uint32_t open_units = 0;  // edges of calls that may be units; regions count once
  std::uint32_t pause = 0;       // units until the next look
  std::uint32_t last_pause = 0;
  std::uint32_t undisturbed = 0;  // units left out since the thread asked another, or was asked
  bool blocked = false;           // in a wait that ends the open units
  // Per slot. What is of these epochs or earlier ones comes after no living unit; and what the look
  // has found.
  std::atomic<std::uint64_t>* harmless = nullptr;
  std::uint64_t* epochs = nullptr;
  std::uint64_t* units = nullptr;
  std::uint64_t* met = nullptr;
};

}  // namespace isosan::rt
