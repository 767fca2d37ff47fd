// Calls at which no outermost region begins or ends: compiled code keeps them itself, without a call
// of the runtime. These are all calls inside a region, and calls of functions that are no regions.
//
// Entering and leaving such a function changes no epoch, so all that is left is the thread's stack of
// open calls (calls/call_stack.h) and the count of open regions. The calls are logged later, right
// before the first event that happens in them; most calls have none. So that this event comes to the
// runtime, the thread's ring seems full from here on (log/log.h, hide_room).
//
//   enter: nests(flags), region_depth >= regions_in(flags), poll == 0, open_walks == 0, count < kMaxOpenEdges
//            -> edges[count] = {record, object, 0, 0, nested_edge(flags), 0}, count + 1,
//               region_depth + regions_in(flags), hide the room
//          otherwise -> __isosan_function_enter(record, object)
//   exit:  the same with region_depth >= 2 * regions_in(flags) and 0 < count <= kMaxOpenEdges, and
//          edges[count - 1] is of this record and nested_edge(flags), and either not logged, or
//          logged, with region_depth != 0 and position != limit
//            -> if it is logged, append return_unit(record); count - 1,
//               region_depth - regions_in(flags); show the room if edges[count - 2] is logged
//          otherwise -> __isosan_function_exit(record)
//
// The functions below are what the pass emits (pass/edges/nested_calls.h), and tests run that code
// against them.
#pragma once

#include <cstddef>
#include <cstdint>

#include "event/kind.h"
#include "runtime/contract/log_format.h"

namespace isosan::rt {

inline constexpr std::uint64_t kMaxOpenEdges = 1 << 16;  // deeper calls are not logged
inline constexpr std::uint64_t kOpenEdgeBytes = 48;

// In an open call.
inline constexpr std::size_t kOffsetEdgePlace = 0;    // the function's record
inline constexpr std::size_t kOffsetEdgeAddress = 8;  // `this`, or 0
inline constexpr std::size_t kOffsetEdgeFrame = 16;   // 0, and so are the eight bytes behind it
inline constexpr std::size_t kOffsetEdgeKind = 32;    // kind, detail, closes, logged: a byte each
inline constexpr std::size_t kOffsetEdgeOfMode = 40;
// Of what ThreadBlock::runtime points to.
inline constexpr std::size_t kOffsetEdges = 24;
inline constexpr std::size_t kOffsetEdgeCount = 32;

// The runtime has seen a call of it, and it neither cuts regions nor has to be logged everywhere.
constexpr bool nests(std::uint8_t flags) {
  return flags >= log::kFunctionNests && flags < log::kFunctionNested;
}

constexpr std::uint32_t regions_in(std::uint8_t flags) {
  return (flags & log::kFunctionRegion) != 0 ? 1 : 0;
}

// Kind::kCall, detail 0, Closes::kNever or kOutermost, not logged.
constexpr std::uint32_t nested_edge(std::uint8_t flags) {
  return static_cast<std::uint32_t>(Kind::kCall) | regions_in(flags) << 16;
}
inline constexpr std::uint32_t kEdgeLogged = 1 << 24;

constexpr log::LogUnit return_unit(std::uint64_t record) {
  return log::make_unit(log::code_of(Kind::kReturn), 0, record);
}

}  // namespace isosan::rt
