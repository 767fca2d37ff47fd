// DoubleChecker (Biswas, Huang, Sengupta, Bond, PLDI 2014): sound and precise conflict
// serializability, most of it by a cheap imprecise analysis.
//
// ICD keeps an imprecise dependence graph of transactions. Its edges are program order and what the
// runtime's markers say (options.markers; event/dependence.h); where a trace has none, Octet is
// simulated (octet_simulator.h, Fig. 4). When a transaction ends, its strongly connected component
// among finished transactions is computed. PCD replays only the logs of that component, in
// recorded order, by the rules of Fig. 5; those are Velodrome's, so it is a Velodrome over the
// component's events, and findings are the same as velodrome's.
//
// Law (section 3.2.5): every precise cycle lies inside one imprecise component, so verdicts equal
// the oracle's. Departures: the search for a large component, and its replay until it has grown,
// are postponed, at most until its logs are dropped. A unary transaction ends as soon as an edge
// leaves it, so that its successors do not stay alive while its thread waits. Freed or allocated
// memory is a new object; PCD replays these events, too. First run (log_accesses false): no logs,
// no PCD, only suspects(). A second run sees fewer accesses (spec/access_filter.h). PCD alone is
// pcd_only.h.
#pragma once

#include <cstdint>
#include <deque>
#include <set>
#include <string>
#include <vector>

#include "analysis/doublechecker/dependence_graph.h"
#include "analysis/doublechecker/octet_simulator.h"
#include "analysis/doublechecker/options.h"
#include "event/analysis.h"
#include "event/dependence.h"
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
  // Accesses at once (event.h): one entry of the log.
  void on(const Walk<Read>& e) { walk(e); }
  void on(const Walk<Write>& e) { walk(e); }
  void on(const Acquire& e);
  void on(const Release& e);
  void on(const Fork& e);
  void on(const Join& e);
  void on(const Begin& e);
  void on(const End& e);
  void on(const WaitEnd& e);
  void on(const Notify& e) { synchronize(record_of(e), e.where, Like::kWrite); }
  void on(const BarrierArrive& e) { synchronize(record_of(e), e.where, Like::kWrite); }
  void on(const BarrierDepart& e) { synchronize(record_of(e), e.where, Like::kRead); }
  void on(const SemaphorePost& e) { synchronize(record_of(e), e.where, Like::kWrite); }
  void on(const SemaphoreWait& e) { synchronize(record_of(e), e.where, Like::kRead); }
  void on(const OnceDone& e) { synchronize(record_of(e), e.where, Like::kWrite); }
  void on(const OnceSeen& e) { synchronize(record_of(e), e.where, Like::kRead); }
  void on(const Publish& e) { synchronize(record_of(e), e.where, Like::kWrite); }
  void on(const Observe& e) { synchronize(record_of(e), e.where, Like::kRead); }
  void on(const Allocate& e) { renew(record_of(e), e.where); }
  void on(const Free& e) { renew(record_of(e), e.where); }

  // They order nothing by themselves, but a join comes after them.
  void on(const Fence& e) { synchronize(record_of(e), e.where, Like::kNothing); }
  void on(const ThreadStart& e) { synchronize(record_of(e), e.where, Like::kNothing); }
  void on(const ThreadEnd& e) { synchronize(record_of(e), e.where, Like::kNothing); }
  void on(const WaitBegin& e) { synchronize(record_of(e), e.where, Like::kNothing); }

  void on(const Dependence& e);

  void finish();  // closes what is open
  Stats stats() const;
  const Suspects& suspects() const { return found_; }

 private:
  using TxId = icd::TxId;
  using LogEntry = icd::LogEntry;
  using Transaction = icd::Transaction;
  static constexpr TxId kNoTx = icd::kNoTx;

  // A thread's latest transactions, by the number of cuts that came before their first event.
  struct Recent {
    std::uint64_t after_cuts = 0;
    TxId tx = kNoTx;
    bool operator<(std::uint64_t bound) const { return after_cuts < bound; }
  };
  struct ThreadState {
    std::uint32_t depth = 0;      // of atomic regions
    Transaction* open = nullptr;  // null: the next event starts one
    TxId current = kNoTx;         // currTX: the open one, or else the last one
    bool started = false;
    TxId forked_by = kNoTx;     // where Octet is simulated
    std::vector<TxId> pending;  // the next transaction comes after these (only while none is open)
    std::uint64_t memory_changes = 0;  // memory_changes_ when its log was last compared
    std::uint64_t cuts = 0;
    CutHistory<Recent> recent;
  };

  void access(const Event& event, const Where& where, bool write) {
    ThreadState& thread = thread_of(where.thread);
    ++(thread.depth > 0 ? regular_accesses_ : unary_accesses_);
    if (!options_.markers) octet_.access(where.thread, event.address, event.size, write);
    if (!options_.markers || thread.open == nullptr) join_transaction(where, thread);
    if (options_.log_accesses) record(event, where, thread);
  }
  template <class AnyAccess>
  void walk(const Walk<AnyAccess>& e);
  void record(const Event& event, const Where& where, ThreadState& thread) {
    graph_.record(*thread.open, LogEntry::of(event, where.ordinal));
    ++logged_;
  }
  void record_edge(const Event& edge, const Where& where, ThreadState& thread, bool outermost);
  // A synchronization that is like a read or a write of its object, or neither.
  enum class Like : std::uint8_t { kNothing, kRead, kWrite };
  void synchronize(const Event& event, const Where& where, Like like);
  void renew(const Event& event, const Where& where);

  ThreadState& thread_of(ThreadId thread) {
    while (index(thread) >= threads_.size()) [[unlikely]] threads_.emplace_back();
    return threads_[index(thread)];
  }
  void pass_cut(ThreadState& thread, const Where& where);
  void carry_pending(ThreadState& thread, const Where& where);
  void join_transaction(const Where& where, ThreadState& thread);
  struct Start {
    RegionId region = kNoRegion;
    bool unary = true;
    bool comes_after = false;  // an edge will come in at once
  };
  void start(ThreadState& thread, const Where& where, const Start& how);
  void come_after(TxId source, ThreadState& thread);
  void compare_from_now_on(ThreadState& thread);
  void end_open(ThreadState& thread);
  TxId source_of(const Dependence& dependence);
  void check_component(TxId root);
  std::uint64_t note_component(const std::vector<TxId>& component);
  std::uint64_t entries_of(const std::vector<TxId>& component);
  void check_postponed(TxId doomed);
  void precise_check(TxId root, const std::vector<TxId>& component);
  std::vector<Finding> replay(const std::vector<TxId>& component);
  void keep_memory_event(const LogEntry& entry);

  FindingSink& out_;
  DoubleCheckerOptions options_;
  icd::DependenceGraph graph_;
  icd::OctetSimulator octet_;
  std::deque<ThreadState> threads_;  // by ThreadId

  // Allocate and Free since the oldest live transaction, or earlier: the second log begins
  // where the first ends.
  icd::TransactionLog memory_[2];
  std::uint64_t memory_end_ = 0;      // ordinal of the last event in the first
  std::uint64_t memory_changes_ = 0;  // Allocate and Free, so far

  std::uint64_t last_start_ = 0;        // ordinal of the event that started a transaction last
  std::uint64_t searches_to_skip_ = 0;  // after an expensive one
  Suspects found_;
  std::set<std::string> reported_;  // keys of cycles among finished transactions
  std::uint64_t regular_ = 0, regular_accesses_ = 0, unary_accesses_ = 0, components_ = 0,
                component_nodes_ = 0, logged_ = 0, replayed_ = 0;
};

static_assert(Analysis<DoubleChecker>);

}  // namespace isosan
