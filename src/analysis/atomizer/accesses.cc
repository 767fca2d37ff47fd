// Reads and writes: the sharing state of locations, and whether an access is a both-mover.
#include <optional>

#include "analysis/atomizer/atomizer.h"
#include "event/bookkeeping.h"

namespace isosan {

using namespace atomizer;  // NOLINT: the analysis's own parts

template <bool kWrite>
void Atomizer::access(const Access& e, Kind kind, bool compares) {
  ThreadState& thread = state_of(e.where.thread);
  learn_of(e.where.site);
  if (options_.declarations.any_access()) [[unlikely]] {
    if (options_.declarations.of(e.where.site) != SiteAssumption::kNone) return;
    if (options_.declarations.guarded(e.address, e.size)) return;
  }
  if (thread.no_warn > 0) [[unlikely]]
    return;
  if (options_.races == AtomizerOptions::RaceRule::kDeclared) [[unlikely]] {
    declared_access<kWrite>(e, kind, thread);
    return;
  }
  const ThreadOrder::Slot slot = hands_over_ ? order_.slot_of(e.where.thread) : 0;
  if (is_alone(e.where.thread)) [[unlikely]] {
    locations_.visit(e.address, e.size, [&](Location& location, PieceBytes) {
      if (location.sharing() != Sharing::kFresh || !options_.thread_local_data) return;
      location.make_thread_local(Sharing::kThreadLocal, e.where.thread, kWrite);
      location.note_use<kWrite>(slot, order_);
    });
    return;
  }
  std::size_t racy_granules = 0;
  std::uint64_t last_granule = 0;
  Location racy;
  locations_.visit(e.address, e.size, [&](Location& location, PieceBytes bytes) {
    if (hands_over_) [[likely]]
      location.offer(e.where.thread, slot, order_, options_.seen_handover);
    const bool both_mover = location_step<kWrite>(location, e.where, kind, thread);
    if (hands_over_) [[likely]]
      location.note_use<kWrite>(slot, order_);
    if (both_mover) [[likely]]
      return;
    if (racy_granules == 0 || bytes.granule != last_granule) ++racy_granules;
    last_granule = bytes.granule;
    racy = location;
  });
  if (racy_granules > 0) [[unlikely]] {
    race(e, kind, thread, racy, racy_granules, compares);
    return;
  }
  if (thread.phases.awaits_look()) [[unlikely]]
    follow_look<kWrite>(e, thread.phases, violator());
  if (thread.own_locks_view.awaits_look()) [[unlikely]]
    follow_look<kWrite>(e, thread.own_locks_view.phases(), late_violator());
}

// A both-mover access after a look, with or without an acquire in between (phases.h).
template <bool kWrite, class F>
void Atomizer::follow_look(const Access& e, Phases& phases, F&& violated) {
  bool of_others = false, guarded = false;
  locations_.visit(e.address, e.size, [&](Location& location, PieceBytes) {
    of_others |=
        location.sharing() != Sharing::kThreadLocal && location.sharing() != Sharing::kOwnAgain;
    guarded |= location.sharing() == Sharing::kSharedModified;
  });
  if (!of_others) return;
  phases.forget_look();
  if constexpr (kWrite) {
    phases.settle(violated);
  } else if (guarded) {
    phases.look_again(e.address, e.size);
  }
}

// One access of one location: Fig. 13, then Fig. 15. True: a both-mover.
template <bool kWrite>
bool Atomizer::location_step(Location& location, const Where& where, Kind kind,
                             ThreadState& thread) {
  switch (location.sharing()) {
    case Sharing::kFresh:
      if (!options_.thread_local_data) {
        return narrow<kWrite>(location, kAnyLock, where, kind, thread);
      }
      location.make_thread_local(Sharing::kThreadLocal, where.thread, kWrite);
      return true;
    case Sharing::kThreadLocal:
      if (location.owned_by(where.thread)) return true;
      remember(location, HistoryStep::kTakenOver, where, kind, thread.any, kAnyLock);
      location.make_thread_local(Sharing::kThreadLocal2, where.thread, kWrite);
      return true;
    case Sharing::kOwnAgain:  // offer() has handled other threads
      return true;
    case Sharing::kThreadLocal2:
      if (!location.owned_by(where.thread)) return share<kWrite>(location, where, kind, thread);
      if constexpr (kWrite) location.note_write();
      return true;
    case Sharing::kReadShared:
      if constexpr (!kWrite) return true;
      return share<true>(location, where, kind, thread);
    case Sharing::kSharedModified: {
      const PairStep step = kWrite ? pairs_.write(location.candidates(), thread.exclusive)
                                   : pairs_.read(location.candidates(), thread.any);
      if (step.next == location.candidates()) [[likely]] {
        ++thread.effects;
        return step.both_mover;
      }
      return narrow<kWrite>(location, location.candidates(), where, kind, thread);
    }
  }
  return true;
}

// A second thread shares the location, or a thread writes it after several have read it.
template <bool kWrite>
bool Atomizer::share(Location& location, const Where& where, Kind kind, ThreadState& thread) {
  if (!kWrite && !location.owner_wrote()) {
    remember(location, HistoryStep::kReadShared, where, kind, thread.any, kAnyLock);
    location.make_read_shared();
    return true;
  }
  remember(location, HistoryStep::kShared, where, kind, kWrite ? thread.exclusive : thread.any,
           kAnyLock);
  return narrow<kWrite>(location, kAnyLock, where, kind, thread);
}

template <bool kWrite>
bool Atomizer::narrow(Location& location, PairId before, const Where& where, Kind kind,
                      ThreadState& thread) {
  ++thread.effects;
  const LocksetId held = kWrite ? thread.exclusive : thread.any;
  const PairStep step = kWrite ? pairs_.write(before, held) : pairs_.read(before, held);
  const LocksetPair was = pairs_.at(before), is = pairs_.at(step.next);
  if (was.access != kNoLocks && is.access == kNoLocks) {
    remember(location, HistoryStep::kAccessLocksGone, where, kind, held, before);
  }
  if (was.write != kNoLocks && is.write == kNoLocks) {
    remember(location, HistoryStep::kWriteLocksGone, where, kind, held, before);
  }
  location.make_shared_modified(step.next);
  return step.both_mover;
}

void Atomizer::remember(Location& location, HistoryStep step, const Where& where, Kind kind,
                        LocksetId held, PairId before) {
  location.set_history(witnesses_.intern({step, kind, where, held, before, location.history()}));
}

// Fig. 8: P is given. One lock per variable; a write needs it exclusively.
template <bool kWrite>
void Atomizer::declared_access(const Access& e, Kind kind, ThreadState& thread) {
  const std::optional<Address> lock = options_.declarations.protecting(e.address, e.size);
  if (!lock) {  // [INS RACE COMMIT], [INS RACE OUTSIDE], [WRONG RACE VIOLATE]
    race(e, kind, thread, Location{}, e.size > 8 ? 2 : 1);
    return;
  }
  const HeldLock* held = find_held(thread, *lock);
  if (held != nullptr && (!kWrite || held->mode == LockMode::kExclusive)) return;
  report_race(thread, {.where = e.where,
                       .operation = kind,
                       .address = e.address,
                       .size = e.size,
                       .held = thread.any});  // [WRONG ACCESS PROTECTED]
}

void Atomizer::race(const Access& e, Kind kind, ThreadState& thread, const Location& location,
                    std::size_t racy_granules, bool compares) {
  note_racy_site(e.where.site, kRacy);
  const Action action{.where = e.where,
                      .operation = kind,
                      .is_look = options_.second_looks && e.size <= 8 &&
                                 (kind == Kind::kRead || kind == Kind::kAtomicLoad),
                      .compares = compares,
                      .may_be_round = options_.atomic_idioms &&
                                      (kind == Kind::kAtomicLoad || kind == Kind::kAtomicRmw),
                      .address = e.address,
                      .size = e.size,
                      .held = thread.any,
                      .history = location.history(),
                      .candidates = location.sharing() == Sharing::kSharedModified
                                        ? location.candidates()
                                        : kAnyLock};
  if (options_.races == AtomizerOptions::RaceRule::kWrong) {  // [WRONG2 RACE] of Fig. 11
    report_race(thread, action);
    return;
  }
  step(thread, Mover::kNon, action);
  if (e.size > 8 && racy_granules > 1) step(thread, Mover::kNon, action);
}

// The library's own, and counting without an order: a relaxed update says itself that its place
// among others does not matter.
bool Atomizer::is_uncounted(const AtomicAccess& e, Kind kind) {
  if (e.order == MemoryOrder::kRelaxed && options_.relaxed_atomics_move) return true;
  if (!options_.atomic_idioms) return false;
  const bool updates = kind == Kind::kAtomicRmw && !e.compares;
  if (e.order == MemoryOrder::kRelaxed && updates) return true;
  if (options_.tables == nullptr) return false;
  const std::vector<Site>& sites = options_.tables->sites;
  while (bookkeeping_.size() < sites.size())
    bookkeeping_.push_back(is_bookkeeping(sites[bookkeeping_.size()].file));
  return index(e.where.site) < bookkeeping_.size() && bookkeeping_[index(e.where.site)];
}

template <bool kWrite>
void Atomizer::atomic_access(const AtomicAccess& e, Kind kind) {
  if (!is_uncounted(e, kind)) access<kWrite>(e, kind, e.compares);
  if (!hands_over_) return;
  if (kind != Kind::kAtomicStore) order_.come(e.where.thread, e.address);
  if (kWrite) order_.leave(e.where.thread, e.address);
}

void Atomizer::on(const Read& e) { access<false>(e, Kind::kRead); }
void Atomizer::on(const Write& e) { access<true>(e, Kind::kWrite); }
void Atomizer::on(const AtomicLoad& e) { atomic_access<false>(e, Kind::kAtomicLoad); }
void Atomizer::on(const AtomicStore& e) { atomic_access<true>(e, Kind::kAtomicStore); }
void Atomizer::on(const AtomicRmw& e) { atomic_access<true>(e, Kind::kAtomicRmw); }

}  // namespace isosan
