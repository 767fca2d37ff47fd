// DoubleChecker (Biswas, Huang, Sengupta, Bond, PLDI 2014): sound and precise conflict
// serializability, most of it by a cheap imprecise analysis.
//
// ICD keeps Octet states (octet.h) per granule and per synchronization object, and turns their
// transitions into edges of an imprecise dependence graph by the procedures of Fig. 4. When a
// transaction ends, its strongly connected component among finished transactions is computed. PCD
// replays the logs of that component alone, in recorded order, by the rules of Fig. 5; those are
// Velodrome's, so it is a Velodrome over the component's events, and findings are the same as
// velodrome's.
//
// Law (section 3.2.5): every precise cycle lies inside one imprecise component, so verdicts equal
// the oracle's. Departures: unary transactions are merged by the rule of section 4; memory that was
// freed or allocated is a new object, and PCD is told of every such event in the component's time.
// First run (log_accesses false): no logs, no PCD, only suspects(). A second run is a run that is
// shown fewer accesses (spec/access_filter.h). PCD alone is pcd_only.h.
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "analysis/doublechecker/dependence_graph.h"
#include "analysis/doublechecker/octet.h"
#include "analysis/doublechecker/options.h"
#include "base/byte_map.h"
#include "event/analysis.h"
#include "event/finding_sink.h"
#include "event/record.h"
#include "event/stat.h"

namespace isosan {

class DoubleChecker {
 public:
  using Options = DoubleCheckerOptions;
  using Handles = Events<Read, Write, AtomicLoad, AtomicStore, AtomicRmw, Fence, Acquire, Release,
                         Fork, Join, ThreadStart, ThreadEnd, Begin, End, WaitBegin, WaitEnd, Notify,
                         BarrierArrive, BarrierDepart, SemaphorePost, SemaphoreWait, OnceDone,
                         OnceSeen, Publish, Observe, Allocate, Free>;

  DoubleChecker(FindingSink& out, const DoubleCheckerOptions& options = {});

  void on(const Read& e) { access(record_of(e), e.where, false); }
  void on(const Write& e) { access(record_of(e), e.where, true); }
  void on(const AtomicLoad& e) { access(record_of(e), e.where, false); }
  void on(const AtomicStore& e) { access(record_of(e), e.where, true); }
  void on(const AtomicRmw& e) { access(record_of(e), e.where, true); }
  void on(const Acquire& e);
  void on(const Release& e);
  void on(const Fork& e);
  void on(const Join& e);
  void on(const Begin& e);
  void on(const End& e);
  void on(const WaitEnd& e);
  void on(const Notify& e) { synchronize(record_of(e), e.where, true); }
  void on(const BarrierArrive& e) { synchronize(record_of(e), e.where, true); }
  void on(const BarrierDepart& e) { synchronize(record_of(e), e.where, false); }
  void on(const SemaphorePost& e) { synchronize(record_of(e), e.where, true); }
  void on(const SemaphoreWait& e) { synchronize(record_of(e), e.where, false); }
  void on(const OnceDone& e) { synchronize(record_of(e), e.where, true); }
  void on(const OnceSeen& e) { synchronize(record_of(e), e.where, false); }
  void on(const Publish& e) { synchronize(record_of(e), e.where, true); }
  void on(const Observe& e) { synchronize(record_of(e), e.where, false); }
  void on(const Allocate& e) { renew(record_of(e), e.where); }
  void on(const Free& e) { renew(record_of(e), e.where); }

  // They order nothing, but a join comes after them.
  void on(const Fence& e) { note(record_of(e), e.where); }
  void on(const ThreadStart& e) { note(record_of(e), e.where); }
  void on(const ThreadEnd& e) { note(record_of(e), e.where); }
  void on(const WaitBegin& e) { note(record_of(e), e.where); }

  void finish();  // closes what is open
  Stats stats() const;
  const Suspects& suspects() const { return found_; }

 private:
  using TxId = icd::TxId;
  using LogEntry = icd::LogEntry;
  static constexpr TxId kNoTx = icd::kNoTx;
  struct ThreadState {
    bool started = false;
    std::uint32_t depth = 0;  // of atomic regions
    TxId current = kNoTx;     // currTX: the open one, or else the last one
    TxId forked_by = kNoTx;
    TxId last_rdex = kNoTx;        // T.lastRdEx
    std::uint64_t rdsh_known = 0;  // T.rdShCnt
  };

  // Each takes the record (address and size, or the object, in it) and where it stands.
  void access(const Event& event, const Where& where, bool write);
  void synchronize(const Event& event, const Where& where, bool write);
  void record(const Event& event, const Where& where, const ThreadState& thread);
  void renew(const Event& event, const Where& where);
  void note(const Event& event, const Where& where);

  ThreadState& thread_of(const Where& where);
  void transition(octet::State& state, bool write, ThreadId thread, ThreadState& mine);
  void all_others(const ThreadState& mine);
  void take_part(const Where& where, ThreadState& thread);
  void start(ThreadState& thread, RegionId region, const Where& where, bool unary);
  void end_current(ThreadState& thread);
  void check_component(TxId root);
  void precise_check(const std::vector<TxId>& component);

  FindingSink& out_;
  DoubleCheckerOptions options_;
  icd::DependenceGraph graph_;
  std::deque<ThreadState> threads_;                     // by ThreadId
  ByteMap<octet::State> granules_;                      // always asked for whole granules
  absl::flat_hash_map<Address, octet::State> objects_;  // synchronization objects
  std::deque<LogEntry>
      memory_;  // Allocate and Free since the oldest live transaction (or a little before)
  std::size_t prune_memory_at_ = 1024;

  // What the transitions of the current event ask for; emptied by take_part().
  std::vector<TxId> sources_;
  bool becomes_rdex_ = false;
  bool becomes_rdsh_ = false;

  TxId last_rdsh_ = kNoTx;        // gLastRdSh
  std::uint64_t rdsh_count_ = 0;  // gRdShCnt
  Suspects found_;
  std::uint64_t regular_ = 0, regular_accesses_ = 0, unary_accesses_ = 0, components_ = 0,
                logged_ = 0, replayed_ = 0;
};

static_assert(Analysis<DoubleChecker>);

}  // namespace isosan
