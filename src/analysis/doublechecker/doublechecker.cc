#include "analysis/doublechecker/doublechecker.h"

#include <algorithm>
#include <utility>

#include "analysis/velodrome/velodrome.h"

namespace isosan {

using icd::DependenceGraph;
using icd::Transaction;
using octet::State;
using octet::Transition;

DoubleChecker::DoubleChecker(FindingSink& out, const DoubleCheckerOptions& options)
    : out_(out), options_(options) {}

DoubleChecker::ThreadState& DoubleChecker::thread_of(const Where& where) {
  while (index(where.thread) >= threads_.size()) threads_.emplace_back();
  return threads_[index(where.thread)];
}

// --- ICD: from Octet transitions to edges (Fig. 4) ---

void DoubleChecker::all_others(const ThreadState& mine) {
  for (const ThreadState& other : threads_) {
    if (&other != &mine) sources_.push_back(other.current);
  }
}

void DoubleChecker::transition(State& state, bool write, ThreadId thread, ThreadState& mine) {
  const octet::Step step = octet::step(state, write, thread, mine.rdsh_known, rdsh_count_ + 1);
  switch (step.transition) {
    case Transition::kSame:
    case Transition::kUpgradeToWrite:  // its dependences are implied by edges that are there
      break;
    case Transition::kFirst:
      becomes_rdex_ |= !write;
      break;
    case Transition::kConflict:  // handleConflictingTransition
      sources_.push_back(threads_[index(state.owner)].current);
      becomes_rdex_ |= !write;
      break;
    case Transition::kConflictShared:
      all_others(mine);
      break;
    case Transition::kUpgradeToShared:  // handleUpgradingTransition
      sources_.push_back(threads_[index(state.owner)].last_rdex);
      sources_.push_back(last_rdsh_);
      mine.rdsh_known = ++rdsh_count_;
      becomes_rdsh_ = true;
      break;
    case Transition::kFence:  // handleFenceTransition
      sources_.push_back(last_rdsh_);
      mine.rdsh_known = state.counter;
      break;
  }
  state = step.next;
}

// The current event takes part in the thread's transaction: gives it one (merging unary ones that
// no edge has come between), and adds the edges that its transitions asked for.
void DoubleChecker::take_part(const Where& where, ThreadState& thread) {
  const bool open = graph_.is_live(thread.current) && !graph_.at(thread.current).finished;
  if (!open ||
      (thread.depth == 0 && (!sources_.empty() || graph_.at(thread.current).left_by_edge))) {
    start(thread, kNoRegion, where, true);
  }
  for (const TxId source : sources_) {
    if (!graph_.is_live(source)) continue;
    graph_.at(source).left_by_edge = true;
    graph_.add_edge(source, thread.current);
  }
  if (std::exchange(becomes_rdex_, false)) thread.last_rdex = thread.current;
  if (std::exchange(becomes_rdsh_, false)) last_rdsh_ = thread.current;
  sources_.clear();
}

void DoubleChecker::start(ThreadState& thread, RegionId region, const Where& where, bool unary) {
  end_current(thread);
  const TxId previous =
      std::exchange(thread.current, graph_.begin(where.thread, region, where, unary));
  graph_.add_edge(previous, thread.current);
  if (!std::exchange(thread.started, true)) graph_.add_edge(thread.forked_by, thread.current);
}

void DoubleChecker::end_current(ThreadState& thread) {
  if (!graph_.is_live(thread.current) || graph_.at(thread.current).finished) return;
  graph_.finish(thread.current);
  check_component(thread.current);
  graph_.collect(thread.current);
}

// --- events ---

void DoubleChecker::access(const Event& event, const Where& where, bool write) {
  ThreadState& thread = thread_of(where);
  ++(thread.depth > 0 ? regular_accesses_ : unary_accesses_);
  const Address first = event.address & ~Address{7};
  const Address end = (event.address + event.size + 7) & ~Address{7};
  granules_.visit(first, end - first,
                  [&](State& state) { transition(state, write, where.thread, thread); });
  take_part(where, thread);
  record(event, where, thread);
}

void DoubleChecker::synchronize(const Event& event, const Where& where, bool write) {
  ThreadState& thread = thread_of(where);
  if (!options_.sync_edges) return;
  transition(objects_[event.address], write, where.thread, thread);
  take_part(where, thread);
  record(event, where, thread);
}

void DoubleChecker::note(const Event& event, const Where& where) {
  ThreadState& thread = thread_of(where);
  if (!options_.sync_edges) return;
  take_part(where, thread);
  record(event, where, thread);
}

void DoubleChecker::record(const Event& event, const Where& where, const ThreadState& thread) {
  if (!options_.log_accesses) return;
  graph_.at(thread.current).log.push_back({where.ordinal, event});
  ++logged_;
}

void DoubleChecker::on(const Acquire& e) {
  if (e.depth > 0) return note(record_of(e), e.where);
  synchronize(record_of(e), e.where, e.mode == LockMode::kExclusive);
}

void DoubleChecker::on(const Release& e) {
  if (e.depth > 0) return note(record_of(e), e.where);
  synchronize(record_of(e), e.where, e.mode == LockMode::kExclusive);
}

void DoubleChecker::on(const WaitEnd& e) {
  if (e.outcome == WaitOutcome::kTimedOut) return note(record_of(e), e.where);
  synchronize(record_of(e), e.where, false);
}

void DoubleChecker::on(const Fork& e) {
  ThreadState& thread = thread_of(e.where);
  if (!options_.sync_edges) return;
  take_part(e.where, thread);
  record(record_of(e), e.where, thread);
  graph_.at(thread.current).left_by_edge = true;
  ThreadState& child = thread_of({.thread = e.other});
  child.forked_by = thread_of(e.where).current;
}

void DoubleChecker::on(const Join& e) {
  sources_.clear();
  thread_of({.thread = e.other});
  ThreadState& thread = thread_of(e.where);
  if (!options_.sync_edges) return;
  sources_.push_back(threads_[index(e.other)].current);
  take_part(e.where, thread);
  record(record_of(e), e.where, thread);
}

void DoubleChecker::on(const Begin& e) {
  if (e.kind != RegionKind::kAtomic) return;
  ThreadState& thread = thread_of(e.where);
  if (thread.depth++ > 0) return note(record_of(e), e.where);
  ++regular_;
  start(thread, e.region, e.where, false);
  record(record_of(e), e.where, thread);
}

void DoubleChecker::on(const End& e) {
  if (e.kind != RegionKind::kAtomic) return;
  ThreadState& thread = thread_of(e.where);
  if (thread.depth == 0) return;
  if (thread.depth > 1) note(record_of(e), e.where);
  if (--thread.depth > 0) return;
  record(record_of(e), e.where, thread);
  end_current(thread);
}

// The bytes are new objects. A granule that is covered only in part keeps its state: imprecise, and
// sound.
void DoubleChecker::renew(const Event& event, const Where& where) {
  const Address first = (event.address + 7) & ~Address{7};
  const Address end = (event.address + event.size) & ~Address{7};
  if (first < end) granules_.reset(first, end - first);
  if (!options_.log_accesses) return;
  memory_.push_back({where.ordinal, event});
  if (memory_.size() < prune_memory_at_) return;
  const std::uint64_t oldest = graph_.oldest_ordinal();
  while (!memory_.empty() && memory_.front().ordinal < oldest) memory_.pop_front();
  prune_memory_at_ = std::max<std::size_t>(1024, 2 * memory_.size());
}

void DoubleChecker::finish() {
  std::vector<TxId> open;
  for (const ThreadState& thread : threads_) {
    if (!graph_.is_live(thread.current) || graph_.at(thread.current).finished) continue;
    graph_.finish(thread.current);
    open.push_back(thread.current);
  }
  for (const TxId tx : open) check_component(tx);
  if (options_.found != nullptr) *options_.found = found_;
}

// --- cycles ---

void DoubleChecker::check_component(TxId root) {
  const std::vector<TxId> component = graph_.component_of(root, DependenceGraph::Among::kFinished);
  if (component.empty()) return;
  ++components_;
  for (const TxId tx : component) {
    const Transaction& node = graph_.at(tx);
    if (node.unary) {
      found_.unary = true;
    } else {
      found_.regions.insert(node.region);
    }
  }
  if (options_.log_accesses) precise_check(graph_.component_of(root, DependenceGraph::Among::kAll));
}

// PCD: Velodrome over the component's events, in the recorded order. The component is the one among
// all transactions: an open one that stands between two finished ones (a lock passed on through it)
// makes the cycle whole.
void DoubleChecker::precise_check(const std::vector<TxId>& component) {
  std::vector<const LogEntry*> entries;
  for (const TxId tx : component) {
    for (const LogEntry& entry : graph_.at(tx).log) entries.push_back(&entry);
  }
  for (const LogEntry& entry : memory_) entries.push_back(&entry);
  std::sort(entries.begin(), entries.end(),
            [](const LogEntry* a, const LogEntry* b) { return a->ordinal < b->ordinal; });
  replayed_ += entries.size();
  FindingSink precise;
  Velodrome velodrome(precise, {.sync_edges = options_.sync_edges});
  for (const LogEntry* entry : entries) dispatch(velodrome, entry->event, entry->ordinal);
  velodrome.finish();
  for (Finding finding : precise.findings()) {
    finding.analysis = "doublechecker";
    if (out_.is_new(finding.analysis, finding.key)) out_.report(std::move(finding));
  }
}

Stats DoubleChecker::stats() const {
  return {{"regular_transactions", regular_},
          {"regular_accesses", regular_accesses_},
          {"non_transactional_accesses", unary_accesses_},
          {"idg_edges", graph_.edges()},
          {"sccs", components_},
          {"live_nodes", graph_.live()},
          {"max_live_nodes", graph_.max_live()},
          {"logged_events", logged_},
          {"log_bytes", logged_ * sizeof(LogEntry)},
          {"pcd_events", replayed_},
          {"pcd_percent", logged_ == 0 ? 0 : 100 * replayed_ / logged_}};
}

}  // namespace isosan
