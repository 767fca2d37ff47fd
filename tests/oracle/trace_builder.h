// Traces for tests, written by names.
//
//   Trace t = TraceBuilder().begin(0, "deposit").read(0, "x").write(1, "x").write(0,
//   "x").end(0).trace(); Trace u = parse_trace("T0|begin(deposit)\nT0|r(x)\nT1|w(x)\n");
//
// Model: a name stands for 64 bytes of memory (a variable, a lock, a condition, ...), the same
// bytes whatever it is used for. An operand of an access or of alloc/free is "name", "name+offset"
// or "name+offset:size" (size 8 unless told). Each event gets a site of its own, at line ordinal
// + 1. Depths of re-entrant locks and the region that an end closes are worked out by the builder.
// Not here: any check that the trace is well-formed.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "event/event.h"
#include "event/tables.h"

namespace isosan::test {

struct Trace {
  Tables tables;
  std::vector<Event> events;
};

class TraceBuilder {
 public:
  TraceBuilder& read(int t, std::string_view bytes) { return access(Kind::kRead, t, bytes); }
  TraceBuilder& write(int t, std::string_view bytes) { return access(Kind::kWrite, t, bytes); }
  TraceBuilder& load(int t, std::string_view bytes, MemoryOrder order = MemoryOrder::kSeqCst,
                     bool compares = false) {
    return access(Kind::kAtomicLoad, t, bytes, order, compares);
  }
  TraceBuilder& store(int t, std::string_view bytes, MemoryOrder order = MemoryOrder::kSeqCst) {
    return access(Kind::kAtomicStore, t, bytes, order);
  }
  TraceBuilder& rmw(int t, std::string_view bytes, MemoryOrder order = MemoryOrder::kSeqCst,
                    bool compares = false) {
    return access(Kind::kAtomicRmw, t, bytes, order, compares);
  }
  TraceBuilder& fence(int t, MemoryOrder order = MemoryOrder::kSeqCst);

  TraceBuilder& acquire(int t, std::string_view lock, LockMode mode = LockMode::kExclusive);
  TraceBuilder& release(int t, std::string_view lock, LockMode mode = LockMode::kExclusive,
                        bool backs_off = false);

  TraceBuilder& fork(int t, int child);
  TraceBuilder& join(int t, int child);
  TraceBuilder& thread_start(int t) { return plain(Kind::kThreadStart, t); }
  TraceBuilder& thread_end(int t) { return plain(Kind::kThreadEnd, t); }

  TraceBuilder& begin(int t, std::string_view region = "region",
                      RegionKind kind = RegionKind::kAtomic);
  TraceBuilder& block(int t, std::string_view region = "block") {  // a deterministic region
    return begin(t, region, RegionKind::kDeterministic);
  }
  TraceBuilder& end(int t);  // the innermost region that is open

  TraceBuilder& wait_begin(int t, std::string_view condition) {
    return sync(Kind::kWaitBegin, t, condition);
  }
  TraceBuilder& wait_end(int t, std::string_view condition,
                         WaitOutcome outcome = WaitOutcome::kNotified);
  TraceBuilder& notify(int t, std::string_view condition, NotifyScope scope = NotifyScope::kOne);
  TraceBuilder& arrive(int t, std::string_view barrier, std::uint64_t generation = 0);
  TraceBuilder& depart(int t, std::string_view barrier, std::uint64_t generation = 0);
  // SemaphorePost, SemaphoreWait, OnceDone, OnceSeen, Publish, Observe and the like.
  TraceBuilder& sync(Kind kind, int t, std::string_view object);

  TraceBuilder& allocate(int t, std::string_view bytes, MemoryOrigin origin = MemoryOrigin::kHeap);
  TraceBuilder& free(int t, std::string_view bytes, MemoryOrigin origin = MemoryOrigin::kHeap);
  // The thread gets a piece of a loop: two events (analysis/singletrack/handed_out.h).
  TraceBuilder& handout(int t, std::string_view own_stack = "stack:64");
  TraceBuilder& no_more(int t);  // pieces of the loop

  // Any event whose operands are known as numbers; depth is worked out, ends are matched.
  TraceBuilder& add(Event event);

  Address address_of(std::string_view name);
  RegionId region_of(std::string_view name, RegionKind kind = RegionKind::kAtomic);

  const Trace& trace() const { return trace_; }

 private:
  struct Range {
    Address address;
    std::uint64_t size;
  };
  Range range_of(std::string_view operand);
  TraceBuilder& access(Kind kind, int t, std::string_view bytes,
                       MemoryOrder order = MemoryOrder::kRelaxed, bool compares = false);
  TraceBuilder& plain(Kind kind, int t);

  Trace trace_;
  std::map<std::string, Address, std::less<>> addresses_;
  std::map<std::pair<ThreadId, Address>, std::uint16_t> held_;  // (thread, lock): how often
  std::map<ThreadId, std::vector<Event>> open_regions_;
};

// STD text (one event a line, `T1|r(x)|7`), widened where STD has no word for an event:
// `T1|aload.acquire(x+4:4)`, `T1|acq.shared(l)`, `T1|arrive(b@2)`, ... (the table in
// trace_text.cc). What parse_trace reads, print_trace prints; a location behind the operand is
// ignored.
Trace parse_trace(std::string_view text);
std::string print_trace(const Trace& trace);

}  // namespace isosan::test
