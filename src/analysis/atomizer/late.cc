// Windows at what only one thread has used so far (late_windows.h, late_data.h).
#include <algorithm>

#include "analysis/atomizer/atomizer.h"

namespace isosan {

using namespace atomizer;  // NOLINT: the analysis's own parts

// A window of a view in which what is own is shared.
void Atomizer::add_late_window(LateView& view, const OpenRegion& region, const Action& action) {
  ThreadState& thread = state_of(action.where.thread);
  const bool of_data = &view == &thread.own_data_view;
  const auto counts_here = [&](const Action& end) {
    return of_data ? end.own_data != OwnData::kNone : end.own_lock.has_value();
  };
  if (!counts_here(region.commit) && !counts_here(action)) return;
  const std::uint64_t commit = region.commit.where.ordinal, violation = action.where.ordinal;
  if (commit == view.last_commit && violation == view.last_violation) return;
  if (hides_outer(region)) {
    view.last_commit = commit;
    view.last_violation = violation;
  }
  const std::optional<std::uint64_t> fork = thread.deferred_windows.last_fork();
  if (fork && commit <= *fork) return;  // which it may join
  const ThreadOrder::Slot slot = order_.slot_of(action.where.thread);
  keep_or_report({region, action, {order_.act(slot), ThreadOrder::only(slot)}});
}

void Atomizer::keep_or_report(LateWindows::Window window) {
  Action& commit = window.region.commit;
  Action& violation = window.action;
  for (const Action* end : {&commit, &violation})
    if (end->own_data == OwnData::kPast) return;
  for (const Action* end : {&commit, &violation}) {
    if (end->own_data != OwnData::kPending) continue;
    const LateData::Key key{window.region.region, place_of(commit), place_of(violation)};
    return own_data_.keep({std::move(window), key});
  }
  for (const Action* end : {&commit, &violation}) {
    if (!end->own_lock || locks_.is_contended(*end->own_lock)) continue;
    return late_.keep(*end->own_lock, std::move(window));
  }
  for (Action* end : {&commit, &violation})
    if (end->own_data == OwnData::kContended) add_history(*end);
  report_window(window.region, window.action);
}

// How the bytes of an access came to be shared since.
void Atomizer::add_history(Action& access) {
  locations_.visit_present(access.address, access.size, [&](Location& location, PieceBytes) {
    if (location.history() == kNoWitness) return;
    access.history = location.history();
    if (location.sharing() == Sharing::kSharedModified) access.candidates = location.candidates();
  });
}

void Atomizer::stop_late_views(ThreadState& thread) {
  thread.own_locks_view.stop();
  if (!thread.own_data_view.in_use()) return;
  thread.own_data_view.stop();
  std::erase_if(watching_own_data_, [&](ThreadId id) { return &threads_[index(id)] == &thread; });
}

// Until now the region has the same phases in the view with own locks, or in that without.
void Atomizer::start_own_data_view(ThreadId id) {
  ThreadState& thread = state_of(id);
  if (thread.own_data_view.in_use()) return;
  const bool locks = thread.own_locks_view.in_use();
  thread.own_data_view.start(locks ? thread.own_locks_view.phases() : thread.phases);
  watching_own_data_.push_back(id);
}

// An access of bytes that are the thread's own.
void Atomizer::own_access(Action action, ThreadState& thread) {
  if (!is_judged(thread, action)) return;
  if (thread.any != kNoLocks) {  // taken for one that the lock protects
    if (!thread.own_data_view.awaits_look()) return;
    Phases& phases = thread.own_data_view.phases();
    phases.forget_look();
    if (writes(action.operation)) {
      phases.settle(late_violator(thread.own_data_view));
    } else {
      phases.look_again(action.address, action.size);
    }
    return;
  }
  action.own_data = OwnData::kPending;
  action.made = {order_.now(), ThreadOrder::only(order_.slot_of(action.where.thread))};
  start_own_data_view(action.where.thread);
  thread.own_data_view.phases().step(Mover::kNon, action, late_violator(thread.own_data_view));
}

// What the use `e` by another thread says of a pending access.
void Atomizer::follow(Action& end, const Access& e, bool writes_it) {
  if (end.own_data != OwnData::kPending || end.where.thread == e.where.thread) return;
  if (!LateData::overlap(end, e.address, e.size)) return;
  if (order_.sees(end.made, order_.slot_of(e.where.thread))) {
    end.own_data = OwnData::kPast;
  } else if (writes_it || writes(end.operation)) {
    end.own_data = OwnData::kContended;
  }
}

// The thread uses bytes that were another one's own, or that nothing protects.
void Atomizer::follow_open_regions(const Access& e, bool writes_it) {
  for (const ThreadId id : watching_own_data_) {
    threads_[index(id)].own_data_view.phases().for_each_commit(
        [&](Action& commit) { follow(commit, e, writes_it); });
  }
}
void Atomizer::follow_own_data(const Access& e, bool writes_it) {
  if (!own_data_.any()) return;
  for (LateData::Kept& kept : own_data_.take(e.address, e.size)) {
    follow(kept.window.region.commit, e, writes_it);
    follow(kept.window.action, e, writes_it);
    keep_or_report(std::move(kept.window));
  }
}

// Memory is another one's from now on.
void Atomizer::forget_own_data(const MemoryOperation& e) {
  for (const ThreadId id : watching_own_data_) {
    threads_[index(id)].own_data_view.phases().for_each_commit([&](Action& end) {
      if (end.own_data == OwnData::kPending && LateData::overlap(end, e.address, e.size))
        end.own_data = OwnData::kPast;
    });
  }
  if (own_data_.any()) own_data_.take(e.address, e.size);
}

// `user` operates on the lock.
void Atomizer::follow_late_windows(LockIndex lock, ThreadId user) {
  for (LateWindows::Window& window : late_.take(lock)) {
    const bool is_past =
        window.action.where.thread != user && order_.sees(window.made, order_.slot_of(user));
    if (!is_past) keep_or_report(std::move(window));
  }
}

}  // namespace isosan
