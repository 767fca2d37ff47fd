#include "analysis/aerodrome/aerodrome.h"

#include <algorithm>
#include <string>
#include <utility>

namespace isosan {

Aerodrome::Aerodrome(FindingSink& findings, Options options)
    : findings_(findings), options_(options), room_(options.limits) {}

void Aerodrome::make_room_for(ThreadId thread) {
  if (index(thread) < threads_.size()) return;
  threads_.resize(index(thread) + std::size_t{1});
  open_.resize(threads_.size());
}

void Aerodrome::first_event(Where where) {
  make_room_for(where.thread);
  Thread& u = threads_[index(where.thread)];
  u.started = true;
  for (const Mark& fork : std::exchange(u.forks, {})) {
    if (!fork.transaction.alive()) continue;
    come_after(u, fork, {Kind::kThreadStart, EdgeReason::kSynchronization, where, 0, 0});
  }
  note_last(u, Kind::kThreadStart, where);
}

// The new transaction starts with the clock of the thread's previous one: program order.
Aerodrome::Transaction& Aerodrome::next_transaction(Thread& u, const Where& begin) {
  Transaction& next = pool_.make();
  next.name = Epoch(index(begin.thread), ++u.number);
  ISOSAN_CHECK(u.number < Epoch::kMaxTime);
  next.begin = begin;
  if (Transaction* before = u.current.get()) {
    bring_up_to_date(*before);
    next.clock = before->clock;
    come_after_open(next, before->open_before);
  }
  next.clock.join(next.name);
  u.current = Ref(next);
  return next;
}

void Aerodrome::on(const Begin& e) {
  Thread& u = thread_of(e.where);
  if (e.kind != RegionKind::kAtomic) return;
  if (u.depth++ > 0) return;
  Transaction& next = next_transaction(u, e.where);
  next.open = true;
  next.region = e.region;
  open_[index(e.where.thread)] = &next;
  note_last(u, Kind::kBegin, e.where);
  ++transactions_;
}

void Aerodrome::on(const End& e) {
  Thread& u = thread_of(e.where);
  if (e.kind != RegionKind::kAtomic || u.depth == 0) return;
  if (--u.depth > 0) return;
  note_last(u, Kind::kEnd, e.where);
  Transaction& ended = *open_[index(e.where.thread)];
  open_[index(e.where.thread)] = nullptr;
  ended.open = false;
  hand_over(ended);
  if (ended.open_before.empty()) pool_.retire(ended);
}

// The first collection rule: a follower that no other open transaction reaches is retired.
void Aerodrome::hand_over(Transaction& ended) {
  for (const aerodrome::Handle& handle : std::exchange(ended.followers, {})) {
    if (!aerodrome::is_alive(handle)) continue;
    Transaction& follower = *handle.transaction;
    if (!follower.open_before.contains(ended.name.thread())) continue;
    follower.open_before.erase(ended.name.thread());
    if (ended.grew) follower.clock.join(ended.clock);
    come_after_open(follower, ended.open_before);
    if (!follower.open && follower.open_before.empty()) pool_.retire(follower);
  }
}

void Aerodrome::come_after_open(Transaction& to, const ThreadSet& open) {
  open.for_each([&](std::uint32_t thread) { come_after_open(to, thread); });
}

void Aerodrome::come_after_open(Transaction& to, std::uint32_t thread) {
  if (!to.open_before.insert(thread)) return;
  ISOSAN_CHECK(open_[thread] != &to);  // that would be a cycle
  Transaction& open = *open_[thread];
  if (open.followers.size() >= open.compact_at) {
    std::erase_if(open.followers, [](const auto& handle) { return !aerodrome::is_alive(handle); });
    open.compact_at = std::max<std::size_t>(64, open.followers.size() * 2);
  }
  open.followers.push_back(to.handle());
}

// Joins the clocks of the open transactions that reach it. Open transactions are always up to date
// (absorb).
void Aerodrome::bring_up_to_date(Transaction& finished) {
  if (finished.open) return;
  finished.open_before.for_each([&](std::uint32_t thread) {
    const Transaction& open = *open_[thread];
    if (!open.grew) return;
    finished.clock.join(open.clock);
    come_after_open(finished, open.open_before);
  });
}

// The dependence from -> the transaction that u is in: checkAndGet of the paper.
void Aerodrome::come_after(Thread& u, const Mark& from, const Here& here) {
  if (from.thread() == index(here.where.thread)) return;
  Transaction& before = *from.transaction.get();
  Transaction* current = u.current.get();
  if (current != nullptr && current->clock.covers(before.name)) return;
  bring_up_to_date(before);
  if (u.depth > 0 && before.clock.covers(current->name)) return report(u, from, here);
  if (u.depth == 0) current = &next_transaction(u, here.where);
  absorb(*current, before);
  ++joins_;
}

void Aerodrome::absorb(Transaction& to, const Transaction& from) {
  to.clock.join(from.clock);
  come_after_open(to, from.open_before);
  if (from.open) come_after_open(to, from.name.thread());
  if (!to.open || to.followers.empty()) return;
  to.grew = true;
  for (Transaction* other : open_) {
    if (other == nullptr || !other->open_before.contains(to.name.thread())) continue;
    other->clock.join(to.clock);
    come_after_open(*other, to.open_before);
    other->grew = true;
  }
}

void Aerodrome::come_after_all(Thread& u, const Location& location, const Here& here) {
  if (location.writer().transaction.alive()) come_after(u, location.writer(), here);
  location.for_each_reader([&](const Mark& reader) {
    if (reader.transaction.alive()) come_after(u, reader, here);
  });
}

template <class F>
void Aerodrome::visit(Address address, std::uint64_t size, F&& f) {
  LocationRoom::in_parts(address, size, [&](Address from, std::uint64_t bytes) {
    memory_.visit(from, bytes, f);
    if (bytes != size) between_batches();
  });
}

// The pieces of one event must all refer to the same transaction: first come after everything, then
// record.
void Aerodrome::read_pieces(Thread& u, Here here) {
  visit(here.address, here.size, [&](Location& l) {
    if (l.writer().transaction.alive()) come_after(u, l.writer(), here);
  });
  visit(here.address, here.size,
        [&](Location& l) { record_read(u, l, here.operation, here.where); });
}

void Aerodrome::write_pieces(Thread& u, Here here) {
  visit(here.address, here.size, [&](Location& l) { come_after_all(u, l, here); });
  visit(here.address, here.size,
        [&](Location& l) { record_write(u, l, here.operation, here.where); });
}

void Aerodrome::renew(const MemoryOperation& e) {
  thread_of(e.where);
  memory_.reset(e.address, e.size);
}

void Aerodrome::on(const WaitEnd& e) {
  const auto detail = static_cast<std::uint8_t>(e.outcome);
  apply(thread_of(e.where), Kind::kWaitEnd, sync_effect(Kind::kWaitEnd, detail), e.where, e.object,
        0);
}

// W of a synchronization object is the location's writer, R its readers.
void Aerodrome::apply(Thread& u, Kind kind, SyncEffect effect, const Where& where, Address object,
                      std::uint64_t instance) {
  if (!options_.sync_edges) return;
  if (objects_.size() >= collect_at_) [[unlikely]]
    collect_objects();
  Location& slots = objects_.at(object, instance);
  const auto after = [&](const Mark& mark) {
    if (!mark.transaction.alive()) return;
    come_after(u, mark, {kind, EdgeReason::kSynchronization, where, object, 0});
  };
  if (effect.observes_w) after(slots.writer());
  if (effect.observes_r) slots.for_each_reader(after);
  note_last(u, kind, where);
  const bool alive = u.current.alive();
  if (effect.sets_w) slots.set_writer(alive ? mark_of(u, kind, where) : Mark{});
  if (effect.joins_r && alive) slots.set_reader(mark_of(u, kind, where));
}

// What has no live references is dropped: a new location or object would do the same.
bool Aerodrome::matters(const Location& location) {
  bool live = location.writer().transaction.alive();
  location.for_each_reader([&](const Mark& mark) { live |= mark.transaction.alive(); });
  return live;
}

void Aerodrome::between_batches() { room_.look_at(memory_, matters, is_of_one_thread<Location>); }

void Aerodrome::collect_objects() {
  objects_.collect([](const Location& slots) { return !matters(slots); });
  collect_at_ = std::max<std::size_t>(1024, objects_.size() * 2);
}

void Aerodrome::on(const Fork& e) {
  make_room_for(e.other);
  Thread& u = thread_of(e.where);
  note_last(u, Kind::kFork, e.where);
  Thread& child = threads_[index(e.other)];
  if (options_.sync_edges && !child.started) {
    child.forks.push_back(mark_of(u, Kind::kFork, e.where));
  }
}

void Aerodrome::on(const Join& e) {
  make_room_for(e.other);
  Thread& u = thread_of(e.where);
  const Thread& child = threads_[index(e.other)];
  const Here here{Kind::kJoin, EdgeReason::kSynchronization, e.where, index(e.other), 0};
  if (options_.sync_edges && child.current.alive()) {
    come_after(u, mark_of(child, child.last_operation, child.last), here);
  }
  for (const Mark& fork : child.forks) {  // the child has had no event
    if (fork.transaction.alive()) come_after(u, fork, here);
  }
  note_last(u, Kind::kJoin, e.where);
}

void Aerodrome::report(const Thread& u, const Mark& from, const Here& here) {
  ++violations_;
  const Transaction& blamed = *u.current.get();
  const Transaction& other = *from.transaction.get();
  const auto [low, high] = std::minmax({index(blamed.region), index(other.region)});
  std::string key = std::to_string(low) + "," + std::to_string(high);
  if (!findings_.is_new("aerodrome", key)) return;

  Finding finding;
  finding.analysis = "aerodrome";
  finding.kind = FindingKind::kAtomicityViolation;
  finding.region = blamed.region;
  finding.message =
      "the transaction comes before and after another one: no serial order explains it";
  finding.transactions = {{blamed.begin.thread, blamed.region, blamed.begin, false, true},
                          {other.begin.thread, other.region, other.begin, !other.open, false}};
  finding.steps = {{1, from.where(), from.operation, here.address, here.size, "", {}},
                   {0, here.where, here.operation, here.address, here.size, "", {}}};
  finding.edges = {{0, 1, here.reason}};
  finding.notes = {
      "the way back, from the blamed transaction to the other one, is not recorded by "
      "this analysis; velodrome shows the whole cycle"};
  finding.key = std::move(key);
  findings_.report(std::move(finding));
}

Stats Aerodrome::stats() const {
  return {{"transactions", transactions_},       {"joins", joins_},
          {"violations", violations_},           {"threads", threads_.size()},
          {"live_nodes", pool_.live()},          {"max_live_nodes", pool_.live_peak()},
          {"forgotten_bytes", room_.forgotten()}};
}

}  // namespace isosan
