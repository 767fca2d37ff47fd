// Accesses: the filter of section 5, and the rules of both figures for what it lets through.
#include <type_traits>

#include "analysis/singletrack/singletrack.h"

namespace isosan {
namespace {

constexpr SyncEffect kReads{.observes_w = true, .joins_r = true};
constexpr SyncEffect kWrites{.observes_w = true, .observes_r = true, .sets_w = true};

template <class AnyAccess>
constexpr Kind kind_of = std::is_same_v<AnyAccess, Read> ? Kind::kRead : Kind::kWrite;

Step step_of(const AccessRecord& record) {
  const ThreadId thread{record.epoch.thread()};
  return {{record.ordinal, thread, record.site, record.context}, record.kind};
}

}  // namespace

template <class AnyAccess>
SingleTrack::Plain SingleTrack::plain(const AnyAccess& e) {
  return {record_of(e.where, kind_of<AnyAccess>), clocks_.happens_before(e.where.thread)};
}

// The filter's fast path: true if this access to this location needs no further check.
template <class AnyAccess>
[[gnu::always_inline]] inline bool SingleTrack::is_ordered(Location& x, const Plain& now) {
  constexpr bool kIsRead = std::is_same_v<AnyAccess, Read>;
  PlainHistory& history = x.plain;
  const Epoch epoch = now.record.epoch;
  if (kIsRead ? history.was_read_at(epoch) || history.was_read_shared_at(epoch)
              : history.was_written_at(epoch))
    return true;
  if (x.checked || !options_.filter) return false;
  const bool ordered = kIsRead ? history.read_in_order(now.record, now.clock)
                               : history.write_in_order(now.record, now.clock);
  filtered_ += ordered;
  return ordered;
}

// What one piece of a loop leaves for another in the memory of their thread.
template <class AnyAccess>
[[gnu::noinline]] void SingleTrack::check_pieces(const AnyAccess& e) {
  const Operation now = operation(e.where, kind_of<AnyAccess>, e.address, e.size);
  if constexpr (std::is_same_v<AnyAccess, Write>) {
    pieces_.write(now.record, e.address, e.size);
  } else {
    pieces_.read(now.record, e.address, e.size, [&](const AccessRecord& other) {
      const BlockId common = blocks_.common(blocks_.not_over(other.tag), now.record.tag);
      if (common == 0) return;
      conflict(other, now, common,
               "write and read in different pieces of a loop whose pieces go to whichever thread "
               "asks next: what is read depends on which of them this thread got");
    });
  }
}

template <class AnyAccess>
void SingleTrack::plain_access(const AnyAccess& e) {
  if (pieces_.any()) [[unlikely]]
    check_pieces(e);
  const Plain now = plain(e);
  bool free = true;
  memory_.visit(e.address, e.size, [&](Location& x) {
    if (is_ordered<AnyAccess>(x, now)) [[likely]]
      return;
    free = is_race_free(x, operation(e.where, kind_of<AnyAccess>, e.address, e.size)) && free;
  });
  if (!free) access(operation(e.where, kind_of<AnyAccess>, e.address, e.size));
}

void SingleTrack::on(const Read& e) { plain_access(e); }
void SingleTrack::on(const Write& e) { plain_access(e); }

// Takes the fast path for as many accesses in a row as possible.
template <class AnyAccess>
void SingleTrack::walk(const Walk<AnyAccess>& e) {
  if (pieces_.any()) [[unlikely]]
    return e.for_each([&](const AnyAccess& access) { plain_access(access); });
  AnyAccess access = e.first;
  for (std::uint64_t i = 0; i < e.count; ++i, access.address += e.stride) {
    const Plain now = plain(access);
    for (; i < e.count; ++i, access.address += e.stride) {
      Location* x = memory_.whole(access.address, access.size);
      if (x == nullptr || !is_ordered<AnyAccess>(*x, now)) break;
    }
    if (i == e.count) return;
    plain_access(access);
  }
}
template void SingleTrack::walk(const Walk<Read>& e);
template void SingleTrack::walk(const Walk<Write>& e);

void SingleTrack::on(const AtomicLoad& e) {
  if (commuting_.counts_references(e.where)) {
    clocks_.load_in_every_schedule(e.where.thread, e.address, e.order);
    return;
  }
  clocks_.load(e.where.thread, e.address, e.order);
  check_from_now_on(e);
  access(operation(e.where, Kind::kAtomicLoad, e.address, e.size));
}

void SingleTrack::on(const AtomicStore& e) {
  check_from_now_on(e);
  access(operation(e.where, Kind::kAtomicStore, e.address, e.size));
  clocks_.store(e.where.thread, e.address, e.order);
}

void SingleTrack::on(const AtomicRmw& e) {
  if (commuting_.counts_references(e.where) || commuting_.combines(e)) {
    semaphores_.before_publication(e.where.thread, blocks_.scope(e.where.thread), clocks_);
    clocks_.load_in_every_schedule(e.where.thread, e.address, e.order);
    clocks_.continue_release_in_every_schedule(e.where.thread, e.address, e.order);
    return;
  }
  clocks_.load(e.where.thread, e.address, e.order);
  check_from_now_on(e);
  access(operation(e.where, Kind::kAtomicRmw, e.address, e.size));
  clocks_.continue_release(e.where.thread, e.address, e.order);
}

bool SingleTrack::is_race_free(Location& x, const Operation& now) {
  if (x.checked) return false;
  if (!options_.filter) {
    check_from_now_on(x);
    return false;
  }
  const VectorClock& clock = clocks_.happens_before(now.step.where.thread);
  const bool reads = only_reads(now.step.kind);
  bool racy = false;
  const auto races = [&](const AccessRecord&) { racy = true; };
  x.plain.for_each_unordered_write(clock, races);
  if (!reads) x.plain.for_each_unordered_read(clock, races);
  if (racy) {
    check_from_now_on(x);
    return false;
  }
  ++filtered_;
  note(x.plain, now);
  return true;
}

void SingleTrack::check_from_now_on(const Access& e) {
  memory_.visit(e.address, e.size, [&](Location& x) { check_from_now_on(x); });
}

// Starts the checks with the accesses that the filter kept.
void SingleTrack::check_from_now_on(Location& x) {
  if (x.checked) return;
  x.checked = std::make_unique<Checked>();
  Checked& all = *x.checked;
  const auto seed = [&](const AccessRecord& record, ConflictSet& set) {
    if (record.tag != 0) set.add(record, VectorClock{}, blocks_);
  };
  x.plain.for_each_read([&](const AccessRecord& read) {
    seed(read, all.reads);
    const Slot slot = order_.past(step_of(read));
    if (slot.node != NodeRef{}) all.slots.r.push_back(slot);
  });
  if (const AccessRecord* write = x.plain.last_write()) {
    seed(*write, all.writes);
    all.slots.w = order_.past(step_of(*write));
  }
  x.plain = {};
}

// [CF READ], [CF WRITE]; [XS READ], [XS WRITE]: for the bytes that are checked. An access is one
// operation, however many pieces it touches.
void SingleTrack::access(const Operation& now) {
  ++checked_accesses_;
  const bool reads = only_reads(now.step.kind);
  const SyncEffect effect = reads ? kReads : kWrites;
  const Address address = now.step.address;
  const std::uint64_t size = now.step.size;
  memory_.visit(address, size, [&](Location& x, PieceBytes bytes) {
    if (!x.checked) return;
    Operation here = now;
    here.step.address = bytes.first();
    here.step.size = bytes.count();
    check(x.checked->writes, here);
    if (!reads) check(x.checked->reads, here);
    order_.observe(x.checked->slots, effect);
  });
  place(now, EdgeReason::kData);
  const Operation later = operation(now.step.where, now.step.kind, address, size);
  memory_.visit(address, size, [&](Location& x) {
    if (!x.checked) {  // no repetition any more: the checked bytes gave the thread a new time
      note(x.plain, later);
      return;
    }
    note(*x.checked, now);
    order_.leave(placed_, now.step, effect, x.checked->slots);
  });
}

void SingleTrack::note(PlainHistory& x, const Operation& now) {
  if (only_reads(now.step.kind)) {
    x.note_read(now.record, clocks_.happens_before(now.step.where.thread));
  } else {
    x.note_write(now.record);
  }
}

}  // namespace isosan
