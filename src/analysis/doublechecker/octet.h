// Octet's states and transitions (Bond et al., OOPSLA 2013; DoubleChecker, Table 1), as pure code.
//
// An object is write-exclusive for a thread (WrEx_T), read-exclusive (RdEx_T) or read-shared
// (RdSh_c, c from a global counter gRdShCnt). A thread remembers the newest counter it has seen
// (T.rdShCnt). The paper's objects are born WrEx of their allocator; memory has no allocator here,
// so kUntouched comes first, and the first access takes it without a dependence.
#pragma once

#include <cstdint>

#include "event/ids.h"

namespace isosan::octet {

enum class Mode : std::uint8_t { kUntouched, kWrEx, kRdEx, kRdSh };

struct State {
  Mode mode = Mode::kUntouched;
  ThreadId owner{};           // WrEx, RdEx
  std::uint64_t counter = 0;  // RdSh: c

  bool operator==(const State&) const = default;
};

enum class Transition : std::uint8_t {
  kFirst,            // untouched: taken without a dependence
  kSame,             // nothing changes, no dependence
  kUpgradeToWrite,   // RdEx_T, written by T: implied by edges that are there already
  kUpgradeToShared,  // RdEx_T1, read by T2
  kFence,            // RdSh_c, read by T with T.rdShCnt < c
  kConflict,         // WrEx_T1 or RdEx_T1, taken over by T2
  kConflictShared,   // RdSh, written: every other thread responds
};

struct Step {
  Transition transition{};
  State next;
};

// Table 1. `known` is T.rdShCnt of the accessing thread, `fresh` the counter a new RdSh state would
// get.
constexpr Step step(const State& old, bool write, ThreadId thread, std::uint64_t known,
                    std::uint64_t fresh) {
  const State exclusive{write ? Mode::kWrEx : Mode::kRdEx, thread, 0};
  switch (old.mode) {
    case Mode::kUntouched:
      return {Transition::kFirst, exclusive};
    case Mode::kWrEx:
      if (old.owner == thread) return {Transition::kSame, old};
      return {Transition::kConflict, exclusive};
    case Mode::kRdEx:
      if (old.owner == thread)
        return write ? Step{Transition::kUpgradeToWrite, exclusive} : Step{Transition::kSame, old};
      if (write) return {Transition::kConflict, exclusive};
      return {Transition::kUpgradeToShared, {Mode::kRdSh, {}, fresh}};
    case Mode::kRdSh:
      if (write) return {Transition::kConflictShared, exclusive};
      return {known < old.counter ? Transition::kFence : Transition::kSame, old};
  }
  return {};
}

}  // namespace isosan::octet
