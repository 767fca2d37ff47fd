// A predicted violation in another schedule of the observed run: plain data.
//
// Model (Sorrentino, Farzan, Madhusudan, Penelope, FSE 2010, 3.1 and 4.1). A violation is three
// accesses of one location: e1 and e2 of thread T1 within one execution of a region, and f of
// thread T2 between them, which conflicts with both. It can be reached if some event e of T1, from
// e1 up to but not including e2, and f can be reached at one time: the cut-point (e, f). A deadlock
// is a cycle of threads of which each is about to acquire a lock that the next one holds; its
// cut-point has one event for each of them.
//
// A reversal is ours: an access e1 of T1 and a conflicting f of T2 that the run shows in the other
// order. The run does not show what T1 does then: it reads what is about to change (RW: a check
// that f makes stale), or writes before the other thread reads (WR). There is no e2.
//
// A pair is ours, too: e1 and e2 are of two locations that belong together, and T2, from f on,
// writes both (2W), or reads both while e1 and e2 are writes (2R).
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "event/event.h"

namespace isosan {

// Kinds of e1, f and e2, in this order. An atomic read-modify-write is both a read and a write.
enum class Pattern : std::uint8_t {
  kRwr,
  kRww,
  kWwr,
  kWrw,
  kWww,
  kDeadlock,
  kRw,
  kWr,
  kPairWritten,
  kPairRead
};

inline constexpr std::string_view kPatternNames[] = {"RWR",      "RWW", "WWR", "WRW", "WWW",
                                                     "deadlock", "RW",  "WR",  "2W",  "2R"};
constexpr std::string_view name_of(Pattern pattern) {
  return kPatternNames[static_cast<std::size_t>(pattern)];
}

constexpr bool is_pair(Pattern pattern) {
  return pattern == Pattern::kPairWritten || pattern == Pattern::kPairRead;
}

// An operation of the observed run. (thread, index) means the same thing in every run.
struct PredictedOperation {
  ThreadId thread{};
  std::uint64_t index = 0;  // operations of its thread before it (event/schedule.h)
  Kind kind{};
  Address address = 0;
  std::uint64_t size = 0;
  SiteId site{};
  ContextId context{};

  bool operator==(const PredictedOperation&) const = default;
};

// How many operations a thread has executed when the pattern is complete.
struct CutPoint {
  ThreadId thread{};
  std::uint64_t until = 0;
  SiteId site{};  // of its last operation

  bool operator==(const CutPoint&) const = default;
};

struct Prediction {
  Pattern pattern{};
  // The bytes that e1, f and e2 share; a pair: those of e1; a deadlock: the first lock.
  Address address = 0;
  std::uint64_t size = 0;
  // e1, f, e2; a reversal: e1, f. A deadlock: for each thread of the cycle the acquire of what it
  // holds and the acquire at which it waits for the next thread.
  std::vector<PredictedOperation> operations;
  // e's and f's thread; f is the last operation of the schedule. A deadlock: each thread of the
  // cycle, right before the acquire at which it will wait.
  std::vector<CutPoint> cut;
  bool unlocked = false;  // e's thread holds no lock at the cut
  RegionId region{};      // innermost region whose one execution has e1 and e2; a deadlock: none
  bool in_observed_run = false;  // the recorded run shows this pattern at these places already

  bool operator==(const Prediction&) const = default;
};

}  // namespace isosan
