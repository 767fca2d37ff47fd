#include "analysis/velodrome/velodrome.h"

#include <algorithm>

#include "analysis/velodrome/cycle_finding.h"

namespace isosan {
namespace {

constexpr std::uint64_t segment_from(std::uint64_t ordinal) { return ordinal + 1; }

}  // namespace

Velodrome::Velodrome(FindingSink& findings, Options options)
    : findings_(findings), options_(options) {}

void Velodrome::make_room_for(ThreadId id) {
  const std::size_t known = threads_.size();
  threads_.resize(index(id) + 2);
  for (std::size_t i = known; i < threads_.size(); ++i)
    threads_[i].now.thread_number = static_cast<std::uint32_t>(i);
  graph_.make_room_for(index(id) + 1);
}

// The first event of a thread: a fork of it comes before.
void Velodrome::start(Thread& me) {
  if (me.now.is_none()) me.now.segment = segment_from(me.now.ordinal);
  for (const Step& fork : me.forks) come_after(me, fork, EdgeReason::kSynchronization);
  me.forks = {};
}

void Velodrome::on(const Begin& e) {
  Thread& me = enter(Kind::kBegin, e.where, e.object, 0);
  const bool first = me.now.is_none();
  if (e.kind == RegionKind::kAtomic && me.depth++ == 0) {
    me.now.segment = segment_from(e.where.ordinal);
    me.now.unary = false;
    me.now.region = e.region;
    me.now.begin_site = e.where.site;
    me.now.begin_context = e.where.context;
    me.open = graph_.begin(me.now.thread(), me.now.segment);
    me.reported.clear();
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
  if (options_.sync_edges && child.now.is_none()) child.forks.push_back(me.now);
}

void Velodrome::on(const Join& e) {
  thread_of(e.other);
  Thread& me = act(Kind::kJoin, e.where, index(e.other), 0);
  if (options_.sync_edges) come_after(me, thread_of(e.other).now, EdgeReason::kSynchronization);
}

// A unary access of several pieces may find out at a later piece that it needs a segment of its
// own; the earlier ones must then hold that segment too.
template <class F>
void Velodrome::for_each_piece(Thread& me, const Access& e, F&& f) {
  const std::uint64_t segment = me.now.segment;
  memory_.visit(e.address, e.size, f);
  if (me.now.segment != segment) memory_.visit(e.address, e.size, f);
}

void Velodrome::read_pieces(Thread& me, const Access& e) {
  for_each_piece(me, e, [&](LastSteps& piece) { read_location(me, piece); });
}

void Velodrome::write_pieces(Thread& me, const Access& e) {
  for_each_piece(me, e, [&](LastSteps& piece) { write_location(me, piece); });
}

void Velodrome::apply(Thread& me, SyncEffect effect, Address object, std::uint64_t generation) {
  if (!options_.sync_edges) return;
  if (!effect.observes_w && !effect.observes_r && !effect.sets_w && !effect.joins_r) return;
  if (objects_.size() >= collect_at_) collect_objects();
  LastSteps& slots = objects_.at(object, generation);
  if (effect.observes_w) come_after(me, slots.writer(), EdgeReason::kSynchronization);
  if (effect.observes_r)
    slots.for_each_reader([&](const Step& r) { come_after(me, r, EdgeReason::kSynchronization); });
  if (effect.sets_w) slots.set_writer(me.now);
  if (effect.joins_r) slots.set_reader(me.now);
}

// An object of which no step matters any more is as good as a new one.
void Velodrome::collect_objects() {
  objects_.collect([&](const LastSteps& slots) {
    bool matters = graph_.may_matter(slots.writer());
    slots.for_each_reader([&](const Step& r) { matters |= graph_.may_matter(r); });
    return !matters;
  });
  collect_at_ = std::max<std::size_t>(1024, objects_.size() * 2);
}

void Velodrome::renew(Kind kind, const MemoryOperation& e) {
  act(kind, e.where, e.address, e.size);
  memory_.reset(e.address, e.size);
}

void Velodrome::depend(Thread& me, const Step& earlier, EdgeReason reason) {
  if (me.open != Graph::kNoSlot && graph_.reaches(me.open, earlier)) {
    report(me, earlier, reason);
    return;
  }
  const velodrome::SlotSet news = graph_.news(earlier, me.now.thread());
  if (news.empty()) return;
  if (me.now.unary) me.now.segment = segment_from(me.now.ordinal);
  graph_.add_edge(earlier, me.now, reason, news, me.open);
}

// A cycle: the open transaction reaches `earlier`, and `earlier` comes before it. Once per
// transaction and other thread; what is later in that thread is reached too.
void Velodrome::report(Thread& me, const Step& earlier, EdgeReason reason) {
  ++cycles_;
  if (std::ranges::find(me.reported, earlier.thread()) != me.reported.end()) return;
  me.reported.push_back(earlier.thread());
  std::vector<velodrome::Dependence> cycle = graph_.path(me.open, earlier);
  cycle.push_back({earlier, me.now, reason});
  if (!findings_.is_new("velodrome", velodrome::regions_key(cycle))) return;
  Finding finding = velodrome::cycle_finding(cycle);
  for (FindingTransaction& t : finding.transactions) {
    const Thread& owner = thread_of(t.thread);
    t.finished = owner.depth == 0 || owner.now.begin().ordinal != t.begin.ordinal;
  }
  findings_.report(std::move(finding));
}

Stats Velodrome::stats() const {
  return {{"transactions", transactions_},
          {"edges", graph_.edges()},
          {"live_nodes", graph_.live_nodes()},
          {"max_live_nodes", graph_.max_live_nodes()},
          {"cycles", cycles_}};
}

}  // namespace isosan
