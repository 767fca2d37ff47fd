#include "analysis/velodrome/velodrome.h"

#include <algorithm>
#include <utility>

#include "analysis/velodrome/cycle_finding.h"

namespace isosan {
namespace {

constexpr std::uint64_t segment_from(std::uint64_t ordinal) { return ordinal + 1; }

}  // namespace

Velodrome::Velodrome(FindingSink& findings, Options options)
    : findings_(findings), options_(options), room_(options.limits) {}

void Velodrome::make_room_for(ThreadId id) {
  thread_count_ = index(id) + 1;
  const std::size_t known = threads_.size();
  threads_.resize(thread_count_ + 1);
  for (std::size_t i = known; i < threads_.size(); ++i)
    threads_[i].number = static_cast<std::uint32_t>(i);
  graph_.make_room_for(thread_count_);
}

// The first event of a thread comes after its forks.
void Velodrome::start(Thread& me) {
  if (me.segment == 0) me.segment = segment_from(me.now().ordinal());
  for (const Step& fork : me.forks) come_after(me, fork, EdgeReason::kSynchronization);
  me.forks = {};
}

void Velodrome::on(const Begin& e) {
  Thread& me = enter(Kind::kBegin, e.where, e.object, 0);
  const bool first = me.segment == 0;
  if (e.kind == RegionKind::kAtomic && me.depth++ == 0) {
    me.segment = segment_from(e.where.ordinal);
    me.last.event = StepDetail::event_of(e.where.ordinal, Kind::kBegin, false);
    me.last.region = e.region;
    me.last.begin_site = e.where.site;
    me.last.begin_context = e.where.context;
    me.open = graph_.begin(me.number, me.segment);
    me.closed_with.clear();
    me.met = me.broken = false;
    ++transactions_;
  }
  if (first) start(me);
}

void Velodrome::on(const End& e) {
  Thread& me = act(Kind::kEnd, e.where, e.object, 0);
  if (e.kind != RegionKind::kAtomic || me.depth == 0 || --me.depth > 0) return;
  graph_.end(me.open);
  me.open = Graph::kNoSlot;
}

void Velodrome::on(const Fork& e) {
  thread_of(e.other);
  Thread& me = act(Kind::kFork, e.where, index(e.other), 0);
  Thread& child = thread_of(e.other);
  if (options_.sync_edges && child.segment == 0) child.forks.push_back(me.now());
}

void Velodrome::on(const Join& e) {
  thread_of(e.other);
  Thread& me = act(Kind::kJoin, e.where, index(e.other), 0);
  if (!options_.sync_edges) return;
  const Thread& child = thread_of(e.other);
  if (child.segment != 0) return come_after(me, child.now(), EdgeReason::kSynchronization);
  for (const Step& fork : child.forks) come_after(me, fork, EdgeReason::kSynchronization);
}

template <class F>
void Velodrome::visit(Address address, std::uint64_t size, F&& f) {
  LocationRoom::in_parts(address, size, [&](Address from, std::uint64_t bytes) {
    memory_.visit(from, bytes, f);
    if (bytes != size) between_batches();
  });
}

// A unary access of several pieces may turn out at a later piece to need a segment of its own. Then
// its earlier pieces must be recorded with that segment, too.
template <class F>
void Velodrome::for_each_piece(Thread& me, Address address, std::uint64_t size, F&& f) {
  const std::uint64_t segment = me.segment;
  const bool dead = is_dead(me);
  visit(address, size, f);
  if (me.segment != segment || is_dead(me) != dead) visit(address, size, f);
}

// read() and write() for pieces.
void Velodrome::read_pieces(Thread& me, Address address, std::uint64_t size) {
  for_each_piece(me, address, size, [&](LastSteps& last) {
    if (last.read_segment() == me.segment || last.write_segment() == me.segment) return;
    come_after(me, last.write(), EdgeReason::kData);
    if (is_dead(me)) return;
    if (!may_replace_read(me, last)) return last.add_read(me.now());
    last.set_read(me.segment, me.number, me.last);
  });
}

void Velodrome::write_pieces(Thread& me, Address address, std::uint64_t size) {
  for_each_piece(me, address, size, [&](LastSteps& last) {
    if (last.has_reads()) {
      depend_on_reads(me, last, EdgeReason::kData);
    } else {
      if (last.write_segment() == me.segment) return;
      come_after(me, last.write(), EdgeReason::kData);
    }
    if (!is_dead(me)) last.set_write(me.segment, me.number, me.last);
  });
}

void Velodrome::apply(Thread& me, SyncEffect effect, Address object, std::uint64_t generation) {
  if (!options_.sync_edges) return;
  if (!effect.observes_w && !effect.observes_r && !effect.sets_w && !effect.joins_r) return;
  if (objects_.size() >= collect_at_) collect_objects();
  LastSteps& slots = objects_.at(object, generation);
  if (effect.observes_w) come_after(me, slots.write(), EdgeReason::kSynchronization);
  if (effect.observes_r) depend_on_reads(me, slots, EdgeReason::kSynchronization);
  if (effect.sets_w) slots.set_write(me.segment, me.number, me.last);
  if (!effect.joins_r || is_dead(me)) return;
  if (may_replace_read(me, slots))
    slots.set_read(me.segment, me.number, me.last);
  else
    slots.add_read(me.now());
}

// What no open transaction reaches is dropped: a new location or object would do the same.
bool Velodrome::matters(const LastSteps& last) const {
  bool matters = graph_.may_matter(last.write_segment(), last.write_thread());
  last.for_each_read([&](const Step& r) { matters |= graph_.may_matter(r.segment, r.thread()); });
  return matters;
}

void Velodrome::collect_objects() {
  objects_.collect([&](const LastSteps& slots) { return !matters(slots); });
  collect_at_ = std::max<std::size_t>(1024, objects_.size() * 2);
}

void Velodrome::between_batches() {
  room_.look_at(
      memory_, [&](const LastSteps& last) { return matters(last); },
      [](const LastSteps& last) { return last.of_one_thread(); });
}

void Velodrome::renew(Kind kind, const MemoryOperation& e) {
  act(kind, e.where, e.address, e.size);
  memory_.reset(e.address, e.size);
}

void Velodrome::come_after(Thread& me, const Step& earlier, EdgeReason reason) {
  if (depends(me, earlier.segment, earlier.thread())) depend(me, earlier, reason);
}

void Velodrome::depend_on_reads(Thread& me, const LastSteps& last, EdgeReason reason) {
  last.for_each_read([&](const Step& read) { come_after(me, read, reason); });
}

// Its open transaction, if there is one, meets another thread's.
void Velodrome::meet(Thread& thread) {
  if (thread.open == Graph::kNoSlot || std::exchange(thread.met, true)) return;
  const std::uint32_t region = index(thread.last.region);
  if (executions_.size() <= region) executions_.resize(region + 1);
  ++executions_[region].contended;
}

Executions Velodrome::executions_of(RegionId region) const {
  return index(region) < executions_.size() ? executions_[index(region)] : Executions{};
}

void Velodrome::depend(Thread& me, const Step& earlier, EdgeReason reason) {
  meet(me);
  if (Thread& other = threads_[earlier.thread()]; other.segment == earlier.segment) meet(other);
  if (me.open != Graph::kNoSlot && graph_.reaches(me.open, earlier)) {
    report(me, earlier, reason);
    return;
  }
  const velodrome::SlotSet new_ancestors = graph_.new_ancestors(earlier, me.number);
  if (new_ancestors.empty()) {
    if (reason == EdgeReason::kData && me.open != Graph::kNoSlot) graph_.explain(earlier, me.now());
    return;
  }
  if (me.depth == 0) me.segment = segment_from(me.now().ordinal());
  graph_.add_edge(earlier, me.now(), reason, new_ancestors, me.open);
}

// A cycle: the open transaction reaches `earlier`, and `earlier` comes before it. Reported once per
// transaction and other thread: later steps of that thread are reached, too. Only if a lock closed
// the cycle, or if it is an unlikely one, is a later dependence of data looked at: it replaces the
// finding of the same key, or makes one of its own.
void Velodrome::report(Thread& me, const Step& earlier, EdgeReason reason) {
  ++cycles_;
  auto closed = std::ranges::find(me.closed_with, earlier.thread(), &Closed::thread);
  const bool again = closed != me.closed_with.end();
  if (again && (reason != EdgeReason::kData || closed->settled)) return;
  std::vector<velodrome::Dependence> cycle = graph_.path(me.open, earlier);
  cycle.push_back({earlier, me.now(), reason, me.now().ordinal()});
  const bool unlikely = velodrome::is_unlikely(cycle);
  if (again && unlikely) return;
  if (!unlikely && !std::exchange(me.broken, true)) ++executions_[index(me.last.region)].broken;
  if (!again) closed = me.closed_with.insert(closed, {.thread = earlier.thread()});
  closed->settled = reason == EdgeReason::kData && !unlikely;
  const std::string key = velodrome::cycle_key(cycle);
  const std::string by_lock = std::exchange(closed->lock_finding_key, {});
  if (key == by_lock) return findings_.replace(finding_of(cycle));
  if (!findings_.is_new("velodrome", key)) return;
  if (reason != EdgeReason::kData) closed->lock_finding_key = key;
  findings_.report(finding_of(cycle));
}

void Velodrome::aborted_by(ThreadId thread) {
  if (index(thread) >= thread_count_) return;
  const Thread& me = thread_of(thread);
  for (const Thread& other : std::span(threads_).subspan(1)) {
    if (&other == &me || other.segment == 0 || me.segment == 0) continue;
    report_broken_off(other, me.now(), /*by_itself=*/false);
    report_broken_off(me, other.now(), /*by_itself=*/true);
  }
}

// Only where memory was shared: after a lock alone another thread may have done anything.
void Velodrome::report_broken_off(const Thread& broken, const Step& other, bool by_itself) {
  if (broken.open == Graph::kNoSlot || !graph_.reaches(broken.open, other)) return;
  const std::vector<velodrome::Dependence> path = graph_.path(broken.open, other);
  if (path.empty() || path.front().reason != EdgeReason::kData) return;
  Finding finding = finished(velodrome::broken_off_finding(path, by_itself));
  if (findings_.is_new("velodrome", finding.key)) findings_.report(std::move(finding));
}

Finding Velodrome::finding_of(std::span<const velodrome::Dependence> cycle) {
  return finished(velodrome::cycle_finding(cycle));
}

// With what is known of its transactions by now.
Finding Velodrome::finished(Finding finding) {
  for (FindingTransaction& t : finding.transactions) {
    const Thread& owner = thread_of(t.thread);
    t.finished = owner.depth == 0 || segment_from(t.begin.ordinal) != owner.segment;
  }
  finding.executions = executions_of(finding.region);
  return finding;
}

Stats Velodrome::stats() const {
  return {{"transactions", transactions_},
          {"edges", graph_.edges()},
          {"live_nodes", graph_.live_nodes()},
          {"max_live_nodes", graph_.max_live_nodes()},
          {"cycles", cycles_},
          {"forgotten_bytes", room_.forgotten()}};
}

}  // namespace isosan
