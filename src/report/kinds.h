// What reports say about each kind of finding: one table for text, JSON, SARIF and their docs.
#pragma once

#include <array>
#include <string_view>

#include "base/check.h"
#include "event/finding.h"

namespace isosan {

struct KindText {
  FindingKind kind;
  std::string_view id;     // JSON "kind", SARIF rule
  std::string_view title;  // "WARNING: IsoSan: <title>"
  std::string_view meaning;
};

inline constexpr std::array kKindTexts{
    KindText{FindingKind::kAtomicityViolation, "atomicity-violation", "atomicity violation",
             "No serial order of the transactions explains what this run did."},
    KindText{FindingKind::kDataRace, "data-race", "data race",
             "Two threads use the same memory, at least one of them writes, and nothing orders "
             "the two."},
    KindText{FindingKind::kNotReducible, "not-reducible", "region is not reducible",
             "The region has a window: between the two marked places another thread can step in "
             "and be seen."},
    KindText{FindingKind::kSetViolation, "set-violation", "atomic-set violation",
             "Units of work on one atomic set interleave so that no serial order of them explains "
             "the run."},
    KindText{FindingKind::kConflict, "conflict", "conflict inside a deterministic region",
             "Two threads of one deterministic region use the same memory and nothing inside the "
             "region orders them."},
    KindText{FindingKind::kNotExternallySerializable, "not-externally-serializable",
             "deterministic region is not serializable",
             "Code outside the deterministic region steps in between, so that no serial order "
             "explains the run."},
    KindText{FindingKind::kDeadlock, "deadlock", "deadlock",
             "Each of the threads waits for what another of them holds."},
    KindText{FindingKind::kLivelock, "livelock", "livelock",
             "The threads go on, but what they do changes nothing any more."},
    KindText{FindingKind::kHeapMisuse, "heap-misuse", "use of freed memory",
             "Memory is used, or freed again, after it was freed."},
    KindText{FindingKind::kFailingSchedule, "failing-schedule", "failing schedule",
             "The program fails when its threads take turns in this way."},
};

inline const KindText& text_of(FindingKind kind) {
  const KindText& text = kKindTexts.at(static_cast<std::size_t>(kind));
  ISOSAN_CHECK(text.kind == kind);
  return text;
}

}  // namespace isosan
