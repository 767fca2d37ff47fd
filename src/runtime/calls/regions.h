// Which epochs end at the edges of calls and blocks: the state machine of regions, without the
// stack around it.
//
//   closes      enter                               leave
//   kNever      -                                   -
//   kOutermost  depth + 1; ends the epoch if it     depth - 1; ends the epoch if it becomes 0
//               was 0
//   kUnlogged   the same, and the accesses of an outermost one are not logged
//   kAlways     loud + 1; ends the epoch            loud - 1; ends the epoch
//   kNoUnit     as kAlways
//
// A function that turns out to wait for other threads is no region: its open edge goes from
// kOutermost or kUnlogged to kAlways (depth - 1, loud + 1), and the epoch ends if the depth becomes 0.
// Law: depth and loud are the numbers of open edges of each sort. Tested by enumeration against a
// list of open edges (tests/unit/runtime/regions_test.cc).
#pragma once

#include <cstdint>

namespace isosan::rt {

// When an edge ends the epoch. The reader's regions (spec/region_stage.h) are the kOutermost ones
// or fewer: to end more epochs costs entries, to end fewer loses accesses.
enum class Closes : std::uint8_t {
  kNever,
  kOutermost,  // a region: at its edges, if it lies in no other
  kUnlogged,   // the same, but its accesses are not logged if it lies in no other
  kAlways,     // may be one, or is one that does not make its accesses one transaction
  kNoUnit,     // the same; where units of work are asked for it is certainly none
};

constexpr bool is_region(Closes closes) {
  return closes == Closes::kOutermost || closes == Closes::kUnlogged;
}

struct RegionState {
  std::uint32_t depth = 0;  // open regions
  std::uint32_t loud = 0;   // open edges inside of which accesses are logged in any case
  bool unlogged = false;    // the outermost open region is an unlogged one
};

// Each returns whether the epoch ends.
constexpr bool enter(RegionState& state, Closes closes) {
  switch (closes) {
    case Closes::kNever:
      return false;
    case Closes::kOutermost:
    case Closes::kUnlogged:
      if (state.depth++ != 0) return false;
      state.unlogged = closes == Closes::kUnlogged;
      return true;
    case Closes::kAlways:
    case Closes::kNoUnit:
      ++state.loud;
      return true;
  }
  return false;
}

constexpr bool leave(RegionState& state, Closes closes) {
  switch (closes) {
    case Closes::kNever:
      return false;
    case Closes::kOutermost:
    case Closes::kUnlogged:
      return --state.depth == 0;
    case Closes::kAlways:
    case Closes::kNoUnit:
      --state.loud;
      return true;
  }
  return false;
}

// The open edge of a region is one of none from here on.
constexpr bool give_up_region(RegionState& state, Closes& closes) {
  closes = Closes::kAlways;
  ++state.loud;
  return --state.depth == 0;
}

// Are accesses left out of the log? What may be a region without counting as one keeps its
// accesses: the reader may want them.
constexpr bool is_unlogged(const RegionState& state, bool unlogged_outside) {
  if (state.loud > 0) return false;
  return state.depth > 0 ? state.unlogged : unlogged_outside;
}

}  // namespace isosan::rt
