#include "analysis/doublechecker/doublechecker.h"

#include <algorithm>
#include <utility>

#include "analysis/doublechecker/log_merge.h"
#include "analysis/doublechecker/replay.h"

namespace isosan {

using icd::DependenceGraph;

namespace {

constexpr std::size_t kMemoryEvents = 1 << 16;  // kept in memory at a time
// A component is replayed again when its logs have grown by this factor: so all these replays together
// are at most a third longer than the last one.
constexpr std::size_t kGrowth = 4;

}  // namespace

DoubleChecker::DoubleChecker(FindingSink& out, const DoubleCheckerOptions& options)
    : out_(out), options_(options) {
  graph_.limit_memory(options.spill_above);
  graph_.set_merge_above(options.merge_above);
}

// --- ICD: transactions and edges ---

// Gives the event an open transaction: that of its region, or a unary one. A unary one ends when an
// edge comes in or leaves. Adds the simulated edges.
void DoubleChecker::join_transaction(const Where& where, ThreadState& thread) {
  const bool comes_after = !options_.markers && !octet_.sources().empty();
  if (thread.open == nullptr || (thread.depth == 0 && comes_after)) {
    start(thread, where, {.comes_after = comes_after});
  }
  if (options_.markers) return;
  for (const TxId source : octet_.sources()) come_after(source, thread);
  octet_.set_transaction(where.thread, thread.current);
}

void DoubleChecker::start(ThreadState& thread, const Where& where, const Start& how) {
  end_open(thread);
  if (!how.comes_after && thread.pending.empty() && graph_.can_extend(thread.current)) {
    thread.open = &graph_.at(thread.current);
    compare_from_now_on(thread);
    graph_.extend(thread.current, how.region, how.unary);
    return;
  }
  graph_.sweep_if_large([this](TxId dropped) { check_postponed(dropped); });
  thread.current = graph_.begin(where.thread, how.region, where, how.unary, thread.current);
  thread.open = &graph_.at(thread.current);
  last_start_ = where.ordinal;
  if (options_.markers) {
    thread.recent.add({thread.cuts, thread.current});
    for (const TxId source : thread.pending) come_after(source, thread);
    thread.pending.clear();
  } else {
    octet_.set_current(where.thread, thread.current);
    if (!std::exchange(thread.started, true)) come_after(thread.forked_by, thread);
  }
}

// A unary transaction ends when an edge leaves it.
void DoubleChecker::come_after(TxId source, ThreadState& thread) {
  if (source == thread.current || !graph_.is_live(source)) return;
  graph_.add_edge(source, thread.current);
  const Transaction& from = graph_.at(source);
  if (from.unary && !from.finished) end_open(thread_of(from.thread));
}

// Repetitions are compared only since the last Allocate or Free: after it, an address may be
// another object.
void DoubleChecker::compare_from_now_on(ThreadState& thread) {
  if (std::exchange(thread.memory_changes, memory_changes_) != memory_changes_)
    thread.open->log.forget_transactions();
}

void DoubleChecker::end_open(ThreadState& thread) {
  if (thread.open == nullptr) return;
  compare_from_now_on(thread);
  graph_.drop_repetition(*std::exchange(thread.open, nullptr));
  graph_.finish(thread.current);
  check_component(thread.current);
  graph_.collect(thread.current);
}

void DoubleChecker::pass_cut(ThreadState& thread, const Where& where) {
  carry_pending(thread, where);
  ++thread.cuts;
  if (options_.markers && thread.depth == 0) end_open(thread);
}

// Another thread may come after this point of the thread, and so after what is pending. Its marker
// is the only edge then, so a transaction has to stand here, even without an event of its own (with
// sync_edges off, synchronization is none).
void DoubleChecker::carry_pending(ThreadState& thread, const Where& where) {
  if (!thread.pending.empty()) start(thread, where, {.comes_after = true});
}

// --- ICD: the runtime's markers ---

// The latest transaction that began before the point.
icd::TxId DoubleChecker::source_of(const Dependence& dependence) {
  const ThreadState& other = thread_of(dependence.other);
  const std::uint64_t point = dependence.point;
  std::uint64_t number = other.recent.latest_below(dependence.exact ? point : point + 1);
  if (number < other.recent.oldest()) {
    if (number == 0) return kNoTx;
    ++number;  // no longer kept: a later one is imprecise but sound
  }
  const TxId tx = other.recent.at(number).tx;
  if (!graph_.is_live(tx)) return kNoTx;
  Transaction& node = graph_.at(tx);
  const bool behind = dependence.exact ? point > node.last_cut : point >= node.last_cut;
  if (!node.unary && node.last_cut != 0 && behind) node.unary_part = true;
  return tx;
}

void DoubleChecker::on(const Dependence& e) {
  if (!options_.markers) return;
  thread_of(e.thread);
  carry_pending(thread_of(e.other), {.ordinal = last_start_, .thread = e.other});
  const TxId source = source_of(e);
  if (!graph_.is_live(source)) return;
  ThreadState& thread = thread_of(e.thread);
  if (thread.depth > 0) return come_after(source, thread);
  if (options_.log_accesses) {
    end_open(thread);
    thread.pending.push_back(source);
  } else {  // accesses are not logged: no later event would add the edge
    start(thread, {.thread = e.thread}, {.comes_after = true});
    come_after(source, thread);
  }
}

// --- events ---

// Where Octet is simulated, each access may be a transition. Outside regions each is a transaction
// of its own; that matters in replay() only.
template <class AnyAccess>
void DoubleChecker::walk(const Walk<AnyAccess>& e) {
  if (!options_.markers) return e.for_each([this](const AnyAccess& access) { on(access); });
  ThreadState& thread = thread_of(e.first.where.thread);
  (thread.depth > 0 ? regular_accesses_ : unary_accesses_) += e.count;
  if (thread.open == nullptr) join_transaction(e.first.where, thread);
  if (!options_.log_accesses) return;
  const auto keep = [&](const AnyAccess& first, const WalkSteps& steps) {
    graph_.record(*thread.open, LogEntry::of_walk(record_of(first), steps, first.where.ordinal));
    ++logged_;
  };
  const WalkSteps steps{e.first.size, e.count, e.stride};
  if (LogEntry::fits(steps)) return keep(e.first, steps);
  e.for_each([&](const AnyAccess& access) { keep(access, {steps.size, 1, 0}); });
}
template void DoubleChecker::walk(const Walk<Read>& e);
template void DoubleChecker::walk(const Walk<Write>& e);

void DoubleChecker::synchronize(const Event& event, const Where& where, Like like) {
  ThreadState& thread = thread_of(where.thread);
  if (options_.sync_edges) {
    if (!options_.markers) {
      if (like != Like::kNothing)
        octet_.synchronize(where.thread, event.address, like == Like::kWrite);
      join_transaction(where, thread);
    } else if (options_.log_accesses && thread.open == nullptr) {
      join_transaction(where, thread);
    }
    if (options_.log_accesses) record(event, where, thread);
  }
  if (is_cut(event.kind)) pass_cut(thread, where);
}

void DoubleChecker::on(const Acquire& e) {
  const Like like = e.mode == LockMode::kExclusive ? Like::kWrite : Like::kRead;
  synchronize(record_of(e), e.where, e.depth > 0 ? Like::kNothing : like);
}

void DoubleChecker::on(const Release& e) {
  const Like like = e.mode == LockMode::kExclusive ? Like::kWrite : Like::kRead;
  synchronize(record_of(e), e.where, e.depth > 0 ? Like::kNothing : like);
}

void DoubleChecker::on(const WaitEnd& e) {
  const bool notified = e.outcome != WaitOutcome::kTimedOut;
  synchronize(record_of(e), e.where, notified ? Like::kRead : Like::kNothing);
}

void DoubleChecker::on(const Fork& e) {
  thread_of(e.other);
  synchronize(record_of(e), e.where, Like::kNothing);
  if (options_.markers || !options_.sync_edges) return;
  ThreadState& thread = thread_of(e.where.thread);
  thread_of(e.other).forked_by = thread.current;
  if (thread.depth == 0) end_open(thread);
}

void DoubleChecker::on(const Join& e) {
  if (!options_.markers && options_.sync_edges) {
    const ThreadState& child = thread_of(e.other);
    octet_.come_after(child.started ? octet_.current(e.other) : child.forked_by);
  }
  synchronize(record_of(e), e.where, Like::kNothing);
}

// PCD ignores nested edges and those of regions of other kinds. In traces without markers they are
// recorded: one may be the first event after a fork, or the last one before a join.
void DoubleChecker::record_edge(const Event& edge, const Where& where, ThreadState& thread,
                                bool outermost) {
  if (options_.log_accesses && (outermost || !options_.markers)) record(edge, where, thread);
}

void DoubleChecker::on(const Begin& e) {
  if (e.kind != RegionKind::kAtomic && !options_.markers) {
    return synchronize(record_of(e), e.where, Like::kNothing);
  }
  ThreadState& thread = thread_of(e.where.thread);
  if (e.kind == RegionKind::kAtomic) {
    const bool outermost = thread.depth++ == 0;
    regular_ += outermost && (!options_.is_counted || options_.is_counted(e.region));
    if (outermost) start(thread, e.where, {.region = e.region, .unary = false});
    record_edge(record_of(e), e.where, thread, outermost);
  }
  pass_cut(thread, e.where);
}

void DoubleChecker::on(const End& e) {
  if (e.kind != RegionKind::kAtomic && !options_.markers) {
    return synchronize(record_of(e), e.where, Like::kNothing);
  }
  ThreadState& thread = thread_of(e.where.thread);
  if (e.kind == RegionKind::kAtomic && thread.depth > 0) {
    const bool outermost = --thread.depth == 0;
    record_edge(record_of(e), e.where, thread, outermost);
    if (outermost) thread.open->last_cut = thread.cuts + 1;
    if (outermost) end_open(thread);
  }
  pass_cut(thread, e.where);
}

void DoubleChecker::renew(const Event& event, const Where& where) {
  if (!options_.markers) octet_.renew(event.address, event.size);
  if (!options_.log_accesses) return;
  ++memory_changes_;
  LogEntry entry = LogEntry::of(event, where.ordinal);
  entry.context = static_cast<ContextId>(index(where.thread));  // the log is of all threads
  keep_memory_event(entry);
}

void DoubleChecker::keep_memory_event(const LogEntry& entry) {
  memory_[1].append(entry);
  if (memory_[1].in_memory() < kMemoryEvents) return;
  if (memory_[0].empty() || memory_end_ < graph_.oldest_ordinal()) {
    memory_[0].clear(graph_.spill_file());
    std::swap(memory_[0], memory_[1]);
    memory_end_ = entry.ordinal();
  } else {
    memory_[1].spill(graph_.spill_file());
  }
}

void DoubleChecker::finish() {
  std::vector<TxId> open;
  for (ThreadState& thread : threads_) {
    if (std::exchange(thread.open, nullptr) == nullptr) continue;
    graph_.finish(thread.current);
    open.push_back(thread.current);
  }
  for (const TxId tx : open) check_component(tx);
  graph_.for_each_live([this](TxId tx) { check_postponed(tx); });
  if (options_.found != nullptr) *options_.found = found_;
}

// --- cycles ---

// Each transaction that ends may make the same component a little larger. To search and replay it
// each time would take the square of its length, so both may be postponed.
void DoubleChecker::check_component(TxId root) {
  if (!options_.search || !graph_.may_be_in_cycle(root)) return;
  if (searches_to_skip_ > 0) {
    --searches_to_skip_;
    graph_.at(root).postponed = true;
    return;
  }
  const std::vector<TxId> component = graph_.component_of(root, DependenceGraph::Among::kFinished);
  searches_to_skip_ = graph_.nodes_searched() / options_.cheap_search;
  if (component.empty()) return;
  const std::uint64_t replayed = note_component(component);
  if (!options_.log_accesses) return;
  if (replayed > 0 && entries_of(component) < kGrowth * replayed) {
    graph_.at(root).postponed = true;
  } else {
    precise_check(root, component);
  }
}

// Returns how many log entries were replayed last, at most, with one of its nodes.
std::uint64_t DoubleChecker::note_component(const std::vector<TxId>& component) {
  ++components_;
  component_nodes_ += component.size();
  std::uint64_t replayed = 0;
  for (const TxId tx : component) {
    Transaction& node = graph_.at(tx);
    replayed = std::max(replayed, node.replayed_with);
    node.postponed = false;
    if (node.unary || node.unary_part) found_.unary = true;
    if (std::exchange(node.suspect, true)) continue;
    if (!node.unary) found_.regions.insert(node.region);
    found_.regions.insert(node.earlier.begin(), node.earlier.end());
  }
  return replayed;
}

std::uint64_t DoubleChecker::entries_of(const std::vector<TxId>& component) {
  std::uint64_t entries = 0;
  for (const TxId tx : component) entries += graph_.at(tx).log.size();
  return entries;
}

void DoubleChecker::check_postponed(TxId tx) {
  if (!std::exchange(graph_.at(tx).postponed, false)) return;
  const std::vector<TxId> component = graph_.component_of(tx, DependenceGraph::Among::kFinished);
  if (component.empty()) return;
  note_component(component);
  if (options_.log_accesses) precise_check(tx, component);
}

// The component of finished transactions decides whether there is a cycle. The cycle is reported
// from the component among all transactions: an open one may lie between two finished ones (a lock
// passed on through it).
void DoubleChecker::precise_check(TxId root, const std::vector<TxId>& component) {
  const std::uint64_t entries = entries_of(component);
  for (const TxId tx : component) {
    graph_.at(tx).replayed_with = entries;
    graph_.at(tx).postponed = false;
  }
  if (!options_.replay) return;
  std::vector<Finding> found = replay(component);
  const auto is_known = [&](const Finding& f) { return !reported_.insert(f.key).second; };
  const bool known = std::ranges::all_of(found, is_known);
  if (!known) {
    const std::vector<TxId> all = graph_.component_of(root, DependenceGraph::Among::kAll);
    if (all.size() > component.size()) found = replay(all);
  }
  for (Finding& finding : found) {
    finding.analysis = "doublechecker";
    finding.executions = {};  // of the replayed part only
    if (out_.is_new(finding.analysis, finding.key)) out_.report(std::move(finding));
  }
}

// PCD: Velodrome over the component's events and the Allocate and Free events meanwhile, in the
// recorded order.
std::vector<Finding> DoubleChecker::replay(const std::vector<TxId>& component) {
  std::vector<icd::LogReader> readers;
  readers.reserve(component.size() + std::size(memory_));
  const std::size_t buffered = icd::LogReader::buffered_by_each_of(readers.capacity());
  std::uint64_t first = ~std::uint64_t{0};
  for (const TxId tx : component) {
    const Transaction& node = graph_.at(tx);
    readers.emplace_back(node.log, node.thread, graph_.spill_file(), buffered);
    if (readers.back().get() != nullptr) first = std::min(first, readers.back().get()->ordinal());
  }
  const std::size_t logs = readers.size();
  for (const icd::TransactionLog& log : memory_) {
    readers.emplace_back(log, ThreadId{}, graph_.spill_file(), buffered);
    while (readers.back().get() != nullptr && readers.back().get()->ordinal() < first)
      readers.back().advance();
  }
  icd::Replay replay(logs, {.sync_edges = options_.sync_edges});
  icd::merge_logs(readers, logs, [&](std::size_t number, const LogEntry& entry) {
    ++replayed_;
    Event event = entry.event(readers[number].thread());
    if (number < logs) return replay.take(number, event, entry.ordinal());
    event.thread = static_cast<ThreadId>(index(event.context));
    event.context = kEmptyStack;
    replay.take(event, entry.ordinal());
  });
  return replay.findings();
}

Stats DoubleChecker::stats() const {
  return {{"regular_transactions", regular_},
          {"regular_accesses", regular_accesses_},
          {"non_transactional_accesses", unary_accesses_},
          {"idg_edges", graph_.edges()},
          {"sccs", components_},
          {"scc_transactions", component_nodes_},
          {"live_nodes", graph_.live()},
          {"max_live_nodes", graph_.max_live()},
          {"logged_events", logged_},
          {"log_bytes", logged_ * sizeof(LogEntry)},
          {"spilled_bytes", graph_.spill_file().written()},
          {"pcd_events", replayed_},
          {"pcd_percent", logged_ == 0 ? 0 : 100 * replayed_ / logged_}};
}

}  // namespace isosan
