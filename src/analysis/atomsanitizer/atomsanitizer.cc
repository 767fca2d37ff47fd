#include "analysis/atomsanitizer/atomsanitizer.h"

#include <algorithm>
#include <string>
#include <utility>

#include "analysis/atomsanitizer/quiet_events.h"

namespace isosan {

AtomSanitizer::AtomSanitizer(FindingSink& findings, Options options)
    : findings_(findings),
      options_(options),
      collect_slots_at_(options.few_slots),
      room_(options.limits) {
  table_.make_room_for(0);
}

void AtomSanitizer::make_room_for(ThreadId thread) {
  if (index(thread) >= threads_.size()) threads_.resize(index(thread) + std::size_t{1});
}

ReachTable::Slot AtomSanitizer::slot_for(ThreadId thread) {
  if (free_slots_.empty() && slots_.size() >= collect_slots_at_) collect_slots();
  if (free_slots_.empty()) {
    const auto slot = static_cast<ReachTable::Slot>(slots_.size());
    slots_.push_back({thread, 0});
    table_.make_room_for(slot);
    return slot;
  }
  const ReachTable::Slot slot = free_slots_.back();
  free_slots_.pop_back();
  slots_[slot].thread = thread;
  table_.renew(slot);
  return slot;
}

// Few that can be had: more slots are needed from now on.
void AtomSanitizer::collect_slots() {
  for (ReachTable::Slot slot = 0; slot < slots_.size(); ++slot) {
    Thread& t = threads_[index(slots_[slot].thread)];
    if (!table_.is_unreached(slot)) continue;
    ISOSAN_CHECK(t.depth == 0 && t.transaction.thread() == slot);
    slots_[slot].taken = t.transaction.time();
    t.transaction = Epoch{};
    free_slots_.push_back(slot);
  }
  if (free_slots_.size() < slots_.size() / 2) collect_slots_at_ = slots_.size() * 2;
}

void AtomSanitizer::refer_to_slots() {
  for (ReachTable::Slot slot = 0; slot < slots_.size(); ++slot) {
    Thread& t = threads_[index(slots_[slot].thread)];
    if (t.transaction.time() == 0 || t.transaction.thread() != slot) continue;  // a free slot
    t.known = table_.known_by(slot);
    t.flag = Location::flag_of(slot);
    t.only_flag = slots_.size() <= Location::kFlags ? t.flag : 0;
  }
}

// Gives the thread a slot and a number. Its fork comes before it.
void AtomSanitizer::first_event(Where where) {
  make_room_for(where.thread);
  Thread& u = threads_[index(where.thread)];
  if (u.transaction.time() > 0) return;
  const ReachTable::Slot slot = slot_for(where.thread);
  u.transaction = Epoch(slot, slots_[slot].taken + 1);
  refer_to_slots();
  for (const Mark& fork : std::exchange(u.forks, {})) {
    depend(u, fork, {Kind::kThreadStart, EdgeReason::kSynchronization, where, 0, 0});
  }
  note_last(u, Kind::kThreadStart, where);
}

void AtomSanitizer::take(std::span<const Event> batch, std::uint64_t first_ordinal) {
  const Event* e = batch.data();
  const Event* const end = e + batch.size();
  while (e != end) {
    const Quiet quiet(*this);
    while (e != end && quiet.take(*e, first_ordinal)) ++e, ++first_ordinal;
    if (e != end) dispatch(*this, *e++, first_ordinal++);
  }
}

void AtomSanitizer::access_location(Thread& u, Location& location, bool writes, Here here) {
  depend_on(u, location, writes, here);
  const Mark mark = mark_of(u, here.operation, here.where);
  if (writes) {
    location.set_writer(mark);
  } else {
    location.set_reader(mark);
  }
}

template <class F>
void AtomSanitizer::visit(Address address, std::uint64_t size, F&& f) {
  LocationRoom::in_parts(address, size, [&](Address from, std::uint64_t bytes) {
    memory_.visit(from, bytes, f);
    if (bytes != size) between_batches();
  });
}

// Several pieces, one event: its number must be final before the first piece records it.
template <bool kWrites>
void AtomSanitizer::access_pieces(Thread& u, Here here) {
  if (u.depth == 0) {
    next_transaction(u);
    number_is_fixed_ = true;
  }
  visit(here.address, here.size, touch<kWrites>(u, here));
  number_is_fixed_ = false;
}
template void AtomSanitizer::access_pieces<false>(Thread& u, Here here);
template void AtomSanitizer::access_pieces<true>(Thread& u, Here here);

// Outside regions each access is a transaction of its own.
template <bool kWrites, class AnyAccess>
void AtomSanitizer::walk(Kind kind, const Walk<AnyAccess>& e) {
  Thread& u = thread_of(e.first.where);
  if (u.depth == 0) return e.for_each([this](const AnyAccess& access) { on(access); });
  Here access = here(kind, e.first);
  const auto touch_location = touch<kWrites>(u, access);
  for (std::uint64_t i = 0; i < e.count; ++i, access.address += e.stride) {
    if (Location* location = memory_.whole(access.address, access.size)) [[likely]] {
      touch_location(*location);
    } else {
      memory_.visit(access.address, access.size, touch_location);
    }
  }
}
template void AtomSanitizer::walk<false>(Kind kind, const Walk<Read>& e);
template void AtomSanitizer::walk<true>(Kind kind, const Walk<Write>& e);

void AtomSanitizer::renew(const MemoryOperation& e) {
  thread_of(e.where);
  memory_.reset(e.address, e.size);
}

void AtomSanitizer::on(const WaitEnd& e) {
  const auto detail = static_cast<std::uint8_t>(e.outcome);
  apply(Kind::kWaitEnd, sync_effect(Kind::kWaitEnd, detail), e.where, e.object, 0);
}

// W of a synchronization object is the location's writer, R its readers.
void AtomSanitizer::apply(Kind kind, SyncEffect effect, Where where, Address object,
                          std::uint64_t instance) {
  Thread& u = thread_of(where);
  if (!options_.sync_edges) return;
  if (objects_.size() >= collect_at_) collect_objects();
  Location& slots = objects_.at(object, instance);
  const Here here{kind, EdgeReason::kSynchronization, where, object, 0};
  if (effect.observes_w) depend(u, slots.writer(), here);
  if (effect.observes_r) slots.for_each_reader([&](const Mark& r) { depend(u, r, here); });
  if (effect.sets_w) slots.set_writer(mark_of(u, kind, where));
  if (effect.joins_r) slots.set_reader(mark_of(u, kind, where));
}

void AtomSanitizer::shared_or_nested(Kind kind, LockOperation e) {
  const auto mode = static_cast<std::uint8_t>(e.mode);
  apply(kind, sync_effect(kind, mode, e.depth), e.where, e.lock, 0);
}

// What no open transaction reaches is dropped: a new location or object would do the same.
bool AtomSanitizer::matters(const Location& location) const {
  bool live = table_.may_be_reached(location.writer().transaction());
  location.for_each_reader([&](const Mark& m) { live |= table_.may_be_reached(m.transaction()); });
  return live;
}

void AtomSanitizer::between_batches() {
  room_.look_at(
      memory_, [&](const Location& location) { return matters(location); },
      is_of_one_thread<Location>);
}

void AtomSanitizer::collect_objects() {
  objects_.collect([&](const Location& slots) { return !matters(slots); });
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
  const Here here{Kind::kJoin, EdgeReason::kSynchronization, e.where, index(e.other), 0};
  if (options_.sync_edges && child.transaction.time() > 0) {
    depend(u, mark_of(child, child.last.operation(), child.last.where()), here);
  }
  for (const Mark& fork : child.forks) depend(u, fork, here);  // the child has had no event
  note_last(u, Kind::kJoin, e.where);
}

// The dependence (t,x) -> (u,y): a cycle if (u,y) reaches (t,x); otherwise it is inserted.
void AtomSanitizer::depend(Thread& u, const Mark& from, const Here& here) {
  const Epoch before = from.transaction();
  if (!has_effect(u, before)) return;
  const std::uint32_t thread = u.transaction.thread();
  if (u.depth > 0 && table_.reaches(thread, before)) return report(u, from, here);
  if (table_.find_sources(before, u.transaction)) {
    if (u.depth == 0 && !number_is_fixed_) next_transaction(u);
    table_.connect(u.transaction);
    ++inserted_;
  }
  u.known[before.thread()] = before.time();
}

bool AtomSanitizer::readers_have_effect(const Thread& u, const Location& location) const {
  return location.any_reader(~u.only_flag, [&](Epoch reader) { return has_effect(u, reader); });
}

void AtomSanitizer::depend_on(Thread& u, const Location& location, bool readers_too, Here here) {
  depend(u, location.writer(), here);
  if (!readers_too || !readers_have_effect(u, location)) return;
  location.for_each_reader([&](const Mark& reader) { depend(u, reader, here); });
}

// Of a mark that an open transaction reaches: its thread still has its slot.
Where AtomSanitizer::where_of(const Mark& mark) const {
  Where where = mark.where();
  where.thread = slots_[mark.thread()].thread;
  return where;
}

void AtomSanitizer::report(const Thread& u, const Mark& from, const Here& here) {
  ++violations_;
  const auto [low, high] = std::minmax({index(u.region), index(from.region())});
  std::string key = std::to_string(low) + "," + std::to_string(high);
  if (!findings_.is_new("atomsanitizer", key)) return;

  const Where before = where_of(from);
  const Thread& t = threads_[index(before.thread)];
  const bool open = t.depth > 0 && t.transaction == from.transaction();
  Finding finding;
  finding.analysis = "atomsanitizer";
  finding.kind = FindingKind::kAtomicityViolation;
  finding.region = u.region;
  finding.message =
      "the transaction comes before and after another one: no serial order explains it";
  finding.transactions = {{u.begin.thread, u.region, u.begin, false, true},
                          {before.thread, from.region(), open ? t.begin : before, !open, false}};
  finding.steps = {{1, before, from.operation(), here.address, here.size, "", {}},
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
          {"slots", slots_.size()},
          {"table_bytes", table_.bytes()},
          {"forgotten_bytes", room_.forgotten()}};
}

}  // namespace isosan
