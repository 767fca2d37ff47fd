// Reads and writes: the sharing state of locations, and whether an access is a both-mover.
#include <optional>

#include "analysis/atomizer/atomizer.h"

namespace isosan {

using namespace atomizer;  // NOLINT: the analysis's own parts

// True: bytes that were another thread's own, or that nothing protects.
template <bool kWrite>
bool Atomizer::access(const Access& e, Kind kind, bool compares) {
  ThreadState& thread = state_of(e.where.thread);
  learn_of(e.where.site);
  if (options_.declarations.any_access()) [[unlikely]] {
    if (options_.declarations.of(e.where.site) != SiteAssumption::kNone) return false;
    if (options_.declarations.guarded(e.address, e.size)) return false;
  }
  if (thread.no_warn > 0) [[unlikely]]
    return false;
  if (options_.races == AtomizerOptions::RaceRule::kDeclared) [[unlikely]] {
    declared_access<kWrite>(e, kind, thread);
    return false;
  }
  const ThreadOrder::Slot slot = hands_over_ ? order_.slot_of(e.where.thread) : 0;
  if (is_alone(e.where.thread)) [[unlikely]] {
    locations_.visit(e.address, e.size, [&](Location& location, PieceBytes) {
      if (location.sharing() != Sharing::kFresh || !options_.thread_local_data) return;
      location.make_thread_local(Sharing::kThreadLocal, e.where.thread, kWrite);
      location.note_use<kWrite>(slot, order_);
    });
    return false;
  }
  std::size_t racy_granules = 0;
  std::uint64_t last_granule = 0;
  Location racy;
  bool own = true, from_another = false;
  locations_.visit(e.address, e.size, [&](Location& location, PieceBytes bytes) {
    const Location before = location;
    if (hands_over_) [[likely]]
      location.offer(e.where.thread, slot, order_, options_.seen_handover);
    const bool both_mover = location_step<kWrite>(location, e.where, kind, thread);
    if (hands_over_) [[likely]]
      location.note_use<kWrite>(slot, order_);
    own &= location.is_own_of(e.where.thread);
    from_another |= !both_mover || location.comes_from_another(before, e.where.thread);
    if (both_mover) [[likely]]
      return;
    if (racy_granules == 0 || bytes.granule != last_granule) ++racy_granules;
    last_granule = bytes.granule;
    racy = location;
  });
  if (racy_granules > 0) [[unlikely]] {
    race(e, kind, thread, racy, racy_granules, compares);
    return true;
  }
  if (thread.phases.awaits_look()) [[unlikely]]
    follow_look<kWrite>(e, thread.phases, violator());
  if (thread.own_locks_view.awaits_look()) [[unlikely]]
    follow_look<kWrite>(e, thread.own_locks_view.phases(), late_violator(thread.own_locks_view));
  if (own && late_data_ && !thread.phases.outside() && e.size <= LateData::kWidest) {
    own_access(action_of(e, kind, thread, compares), thread);
  } else if (thread.own_data_view.awaits_look()) [[unlikely]] {
    follow_look<kWrite>(e, thread.own_data_view.phases(), late_violator(thread.own_data_view));
  }
  return from_another;
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

Action Atomizer::action_of(const Access& e, Kind kind, const ThreadState& thread, bool compares) {
  const bool reads_atomically = kind == Kind::kAtomicLoad || kind == Kind::kAtomicRmw;
  return {.where = e.where,
          .operation = kind,
          .is_look = options_.second_looks && e.size <= 8 &&
                     (kind == Kind::kRead || kind == Kind::kAtomicLoad),
          .compares = compares,
          .round =
              options_.atomic_idioms && reads_atomically ? points_.of(e.where.site).point : kNoSite,
          .address = e.address,
          .size = e.size,
          .held = thread.any,
          .candidates = kAnyLock};
}

void Atomizer::race(const Access& e, Kind kind, ThreadState& thread, const Location& location,
                    std::size_t racy_granules, bool compares) {
  note_racy_site(e.where.site, kRacy);
  Action action = action_of(e, kind, thread, compares);
  action.history = location.history();
  action.candidates =
      location.sharing() == Sharing::kSharedModified ? location.candidates() : kAnyLock;
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
  return points_.of(e.where.site).is_bookkeeping;
}

template <bool kWrite>
void Atomizer::plain_access(const Access& e, Kind kind) {
  if (!access<kWrite>(e, kind) || !late_data_) return;
  follow_open_regions(e, kWrite);
  follow_own_data(e, kWrite);
}

// An atomic operation that reads comes after what it reads from. So regions that are over are past
// for it; in one that is still open it stands in the middle.
template <bool kWrite>
void Atomizer::atomic_access(const AtomicAccess& e, Kind kind) {
  const bool from_another = !is_uncounted(e, kind) && access<kWrite>(e, kind, e.compares);
  if (!hands_over_) return;
  if (late_data_ && from_another) follow_open_regions(e, kWrite);
  if (kind != Kind::kAtomicStore) order_.come(e.where.thread, e.address);
  if (late_data_ && from_another) follow_own_data(e, kWrite);
  if (kWrite) order_.leave(e.where.thread, e.address);
}

void Atomizer::on(const Read& e) { plain_access<false>(e, Kind::kRead); }
void Atomizer::on(const Write& e) { plain_access<true>(e, Kind::kWrite); }
void Atomizer::on(const AtomicLoad& e) { atomic_access<false>(e, Kind::kAtomicLoad); }
void Atomizer::on(const AtomicStore& e) { atomic_access<true>(e, Kind::kAtomicStore); }
void Atomizer::on(const AtomicRmw& e) { atomic_access<true>(e, Kind::kAtomicRmw); }

}  // namespace isosan
