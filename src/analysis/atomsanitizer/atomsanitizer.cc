#include "analysis/atomsanitizer/atomsanitizer.h"

#include <algorithm>
#include <string>
#include <utility>

namespace isosan {

AtomSanitizer::AtomSanitizer(FindingSink& findings, Options options)
    : findings_(findings), options_(options) {
  make_room_for(ThreadId{0});
}

void AtomSanitizer::make_room_for(ThreadId thread) {
  if (index(thread) < threads_.size()) return;
  threads_.resize(index(thread) + std::size_t{1});
  table_.make_room_for(index(thread));
}

// The thread gets its first number, and its fork comes before it.
void AtomSanitizer::first_event(const Where& where) {
  make_room_for(where.thread);
  Thread& u = threads_[index(where.thread)];
  if (u.transaction.time() > 0) return;
  u.transaction = Epoch(index(where.thread), 1);
  for (const Mark& fork : std::exchange(u.forks, {})) {
    depend(u, fork, {Kind::kThreadStart, where, 0, 0, EdgeReason::kSynchronization});
  }
}

void AtomSanitizer::next_transaction(Thread& u) {
  ISOSAN_CHECK(u.transaction.time() < Epoch::kMaxTime);
  u.transaction = Epoch(u.transaction.thread(), u.transaction.time() + 1);
}

void AtomSanitizer::on(const Begin& e) {
  Thread& u = thread_of(e.where);
  if (e.kind != RegionKind::kAtomic) return;
  if (u.depth++ > 0) return;
  next_transaction(u);
  table_.begin(u.transaction);
  u.region = e.region;
  u.begin = e.where;
  note_last(u, Kind::kBegin, e.where);
  ++transactions_;
}

void AtomSanitizer::on(const End& e) {
  Thread& u = thread_of(e.where);
  if (e.kind != RegionKind::kAtomic || u.depth == 0) return;
  if (--u.depth > 0) return;
  note_last(u, Kind::kEnd, e.where);
  table_.end(u.transaction.thread());
  u.region = kNoRegion;
}

// Several pieces, one event: its number must be settled before the first piece remembers it.
template <class F>
void AtomSanitizer::for_each_piece(Thread& u, const Access& e, F&& f) {
  if (u.depth == 0) {
    next_transaction(u);
    number_is_fixed_ = true;
  }
  memory_.visit(e.address, e.size, f);
  number_is_fixed_ = false;
}

void AtomSanitizer::read_pieces(Thread& u, Kind kind, const Access& e) {
  for_each_piece(u, e, [&](Location& location) { read_location(u, location, kind, e); });
}

void AtomSanitizer::write_pieces(Thread& u, Kind kind, const Access& e) {
  for_each_piece(u, e, [&](Location& location) { write_location(u, location, kind, e); });
}

void AtomSanitizer::renew(const MemoryOperation& e) {
  thread_of(e.where);
  memory_.reset(e.address, e.size);
}

void AtomSanitizer::on(const WaitEnd& e) {
  const auto detail = static_cast<std::uint8_t>(e.outcome);
  apply(thread_of(e.where), Kind::kWaitEnd, sync_effect(Kind::kWaitEnd, detail), e.where, e.object,
        0);
}

// W of a synchronization object is the location's writer, R its readers.
void AtomSanitizer::apply(Thread& u, Kind kind, SyncEffect effect, const Where& where,
                          Address object, std::uint64_t instance) {
  if (!options_.sync_edges) return;
  if (objects_.size() >= collect_at_) [[unlikely]]
    collect_objects();
  Location& slots = objects_.at(object, instance);
  const auto come_after = [&](const Mark& mark) {
    if (!table_.may_be_reached(mark.transaction)) return;
    depend(u, mark, {kind, where, object, 0, EdgeReason::kSynchronization});
  };
  if (effect.observes_w) come_after(slots.writer());
  if (effect.observes_r) slots.for_each_reader(come_after);
  note_last(u, kind, where);
  if (effect.sets_w) slots.set_writer(u.last);
  if (effect.joins_r) slots.set_reader(u.last);
}

// An object in which nothing stands that an open transaction reaches is as good as a new one.
void AtomSanitizer::collect_objects() {
  objects_.collect([&](const Location& slots) {
    bool live = table_.may_be_reached(slots.writer().transaction);
    slots.for_each_reader([&](const Mark& m) { live |= table_.may_be_reached(m.transaction); });
    return !live;
  });
  collect_at_ = std::max<std::size_t>(1024, objects_.size() * 2);
}

void AtomSanitizer::on(const Fork& e) {
  make_room_for(e.other);
  Thread& u = thread_of(e.where);
  note_last(u, Kind::kFork, e.where);
  Thread& child = threads_[index(e.other)];
  if (options_.sync_edges && child.transaction.time() == 0) child.forks.push_back(u.last);
}

void AtomSanitizer::on(const Join& e) {
  make_room_for(e.other);
  Thread& u = thread_of(e.where);
  const Thread& child = threads_[index(e.other)];
  if (options_.sync_edges && child.transaction.time() > 0) {
    Mark last = child.last;
    last.transaction = child.transaction;
    if (table_.may_be_reached(last.transaction)) {
      depend(u, last, {Kind::kJoin, e.where, index(e.other), 0, EdgeReason::kSynchronization});
    }
  }
  note_last(u, Kind::kJoin, e.where);
}

// The dependence (t,x) -> (u,y): a cycle if (u,y) reaches (t,x); otherwise it is inserted.
void AtomSanitizer::depend(Thread& u, const Mark& from, const Here& here) {
  const std::uint32_t thread = u.transaction.thread();
  if (from.thread() == thread || table_.is_known(from.transaction, thread)) return;
  if (u.depth > 0 && table_.reaches(thread, from.transaction)) return report(u, from, here);
  if (table_.find_sources(from.transaction, u.transaction)) {
    if (u.depth == 0 && !number_is_fixed_) next_transaction(u);
    table_.connect(u.transaction);
    ++inserted_;
  }
  table_.remember(from.transaction, thread);
}

void AtomSanitizer::report(const Thread& u, const Mark& from, const Here& here) {
  ++violations_;
  const auto [low, high] = std::minmax({index(u.region), index(from.region)});
  std::string key = std::to_string(low) + "," + std::to_string(high);
  if (!findings_.is_new("atomsanitizer", key)) return;

  const Thread& t = threads_[from.thread()];
  const bool open = t.depth > 0 && t.transaction == from.transaction;
  Finding finding;
  finding.analysis = "atomsanitizer";
  finding.kind = FindingKind::kAtomicityViolation;
  finding.region = u.region;
  finding.message =
      "the transaction comes before and after another one: no serial order explains it";
  finding.transactions = {
      {u.begin.thread, u.region, u.begin, false, true},
      {ThreadId{from.thread()}, from.region, open ? t.begin : from.where(), !open, false}};
  finding.steps = {{1, from.where(), from.operation, here.address, here.size, "", {}},
                   {0, here.where, here.operation, here.address, here.size, "", {}}};
  finding.edges = {{0, 1, here.reason}};
  finding.notes = {
      "the way back, from the blamed transaction to the other one, is not recorded by "
      "this analysis; velodrome shows the whole cycle"};
  finding.key = std::move(key);
  findings_.report(std::move(finding));
}

Stats AtomSanitizer::stats() const {
  return {{"transactions", transactions_},
          {"dependences_inserted", inserted_},
          {"violations", violations_},
          {"threads", threads_.size()},
          {"table_bytes", table_.bytes()}};
}

}  // namespace isosan
