// A finding is plain data: analyses make it, reports print it. Neither depends on the other.
//
// Model: a finding has transactions, steps (operations, each in one transaction) and
// edges (which step had to come before which). A cycle of transactions is a cycle of edges; a
// reduction failure is three steps with roles and no edge; a race is two steps in two transactions.
//
// Only a report knows names. A message or note mentions a step's operand, a thread or a lock by its
// number, and the report's Names (report/names.h) puts the name there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "event/event.h"

namespace isosan {

enum class FindingKind : std::uint8_t {
  kAtomicityViolation,  // no serial order of the transactions explains the run
  kDataRace,
  kNotReducible,  // atomizer: the region has a window
  kSetViolation,  // marathon: units of work on one atomic set are not serializable
  kConflict,      // singletrack: conflict inside a deterministic region
  kNotExternallySerializable,
  kDeadlock,
  kLivelock,
  kHeapMisuse,
  kFailingSchedule,  // hunt: the program fails, and no pattern of accesses explains it
};

struct FindingTransaction {
  ThreadId thread{};
  RegionId region{};  // kNoRegion: a unary transaction, code outside every region
  Where begin;
  bool finished = true;  // false: still open when the finding was made
  bool blamed = false;
  FunctionId function{};     // of a unit of work that is a call of a function and no region
  bool region_known = true;  // false: the region of its steps was not kept
};

struct FindingStep {
  std::size_t transaction = 0;  // index into Finding::transactions
  Where where;
  Kind operation{};
  Address address = 0;
  std::uint64_t size = 0;
  std::string role;            // "commits at", ...; empty if the edges explain the step
  std::vector<Address> locks;  // held there, where the analysis knows
};

enum class EdgeReason : std::uint8_t { kData, kSynchronization, kProgramOrder };

struct FindingEdge {
  std::size_t from = 0;  // indices into Finding::steps; `from` came first in the run
  std::size_t to = 0;
  EdgeReason reason{};
};

// Of the blamed region, up to now or to the end of the run. An execution is contended if it meets
// another thread's: one of both comes after the other while that is still running.
struct Executions {
  std::uint64_t contended = 0;
  std::uint64_t broken = 0;  // of those: not atomic

  bool operator==(const Executions&) const = default;
};

struct Finding {
  std::string analysis;
  FindingKind kind{};
  RegionId region{};    // the blamed region
  std::string subject;  // what is blamed if that is no region (an atomic set); empty: the region
  std::string message;  // one sentence for a person
  std::vector<FindingTransaction> transactions;
  std::vector<FindingStep> steps;
  std::vector<FindingEdge> edges;
  std::vector<std::string> notes;
  std::string unlikely;     // why this is hardly ever a bug; empty: nothing says that
  std::string key;          // findings with equal (analysis, key) are the same one
  std::uint64_t times = 1;  // how often it was seen
  Executions executions;    // all 0: not counted
};

// "@{step 2}", "@{thread 1}", "@{at 0x7f00}"
inline std::string mention_step(std::size_t step) { return "@{step " + std::to_string(step) + "}"; }
inline std::string mention(ThreadId thread) {
  return "@{thread " + std::to_string(index(thread)) + "}";
}
inline std::string mention(Address address) { return "@{at " + std::to_string(address) + "}"; }

}  // namespace isosan
