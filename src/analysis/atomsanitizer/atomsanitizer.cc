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
void AtomSanitizer::first_event(Where where) {
  make_room_for(where.thread);
  Thread& u = threads_[index(where.thread)];
  if (u.transaction.time() > 0) return;
  u.transaction = Epoch(index(where.thread), 1);
  for (const Mark& fork : std::exchange(u.forks, {})) {
    depend(u, fork, {Kind::kThreadStart, EdgeReason::kSynchronization, where, 0, 0});
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
  u.region = index(e.region) < kRegionLimit ? e.region : kNoRegion;
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
void AtomSanitizer::for_each_piece(Thread& u, const Here& here, F&& f) {
  if (u.depth == 0) {
    next_transaction(u);
    number_is_fixed_ = true;
  }
  memory_.visit(here.address, here.size, f);
  number_is_fixed_ = false;
}

void AtomSanitizer::read_pieces(Thread& u, Here here) {
  for_each_piece(u, here, [&](Location& location) {
    if (location.writer().transaction() == u.transaction) return;
    depend(u, location.writer(), here);
    location.set_reader(mark_of(u, here.operation, here.where));
  });
}

void AtomSanitizer::write_pieces(Thread& u, Here here) {
  for_each_piece(u, here, [&](Location& location) {
    depend(u, location.writer(), here);
    depend_on_readers(u, location, here);
    location.set_writer(mark_of(u, here.operation, here.where));
  });
}

void AtomSanitizer::renew(const MemoryOperation& e) {
  thread_of(e.where);
  memory_.reset(e.address, e.size);
}

void AtomSanitizer::on(const WaitEnd& e) {
  const auto detail = static_cast<std::uint8_t>(e.outcome);
  apply(Kind::kWaitEnd, sync_effect(Kind::kWaitEnd, detail), e.where, e.object, 0);
}

// An object in which nothing stands that an open transaction reaches is as good as a new one.
void AtomSanitizer::collect_objects() {
  objects_.collect([&](const Location& slots) {
    bool live = table_.may_be_reached(slots.writer().transaction());
    slots.for_each_reader([&](const Mark& m) { live |= table_.may_be_reached(m.transaction()); });
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
    const Mark last = mark_of(child, child.last.operation(), child.last.where());
    depend(u, last, {Kind::kJoin, EdgeReason::kSynchronization, e.where, index(e.other), 0});
  }
  note_last(u, Kind::kJoin, e.where);
}

// The dependence (t,x) -> (u,y): a cycle if (u,y) reaches (t,x); otherwise it is inserted.
void AtomSanitizer::depend(Thread& u, const Mark& from, Here here) {
  const Epoch before = from.transaction();
  const std::uint32_t thread = u.transaction.thread();
  if (!table_.may_be_reached(before) || before.thread() == thread) return;
  if (table_.is_known(before, thread)) return;
  if (u.depth > 0 && table_.reaches(thread, before)) return report(u, from, here);
  if (table_.find_sources(before, u.transaction)) {
    if (u.depth == 0 && !number_is_fixed_) next_transaction(u);
    table_.connect(u.transaction);
    ++inserted_;
  }
  table_.remember(before, thread);
}

void AtomSanitizer::depend_on_readers(Thread& u, const Location& location, Here here) {
  location.for_each_reader([&](const Mark& reader) {
    if (table_.may_be_reached(reader.transaction())) depend(u, reader, here);
  });
}

void AtomSanitizer::report(const Thread& u, const Mark& from, const Here& here) {
  ++violations_;
  const auto [low, high] = std::minmax({index(u.region), index(from.region())});
  std::string key = std::to_string(low) + "," + std::to_string(high);
  if (!findings_.is_new("atomsanitizer", key)) return;

  const Thread& t = threads_[from.thread()];
  const bool open = t.depth > 0 && t.transaction == from.transaction();
  Finding finding;
  finding.analysis = "atomsanitizer";
  finding.kind = FindingKind::kAtomicityViolation;
  finding.region = u.region;
  finding.message =
      "the transaction comes before and after another one: no serial order explains it";
  finding.transactions = {
      {u.begin.thread, u.region, u.begin, false, true},
      {ThreadId{from.thread()}, from.region(), open ? t.begin : from.where(), !open, false}};
  finding.steps = {{1, from.where(), from.operation(), here.address, here.size, "", {}},
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
