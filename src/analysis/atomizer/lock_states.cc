#include "analysis/atomizer/lock_states.h"

namespace isosan::atomizer {

LockIndex LockStates::look_up(Address lock) {
  const auto [place, is_new] = addresses_.try_emplace(lock, static_cast<LockIndex>(locks_.size()));
  if (is_new) locks_.push_back({.address = lock});
  return place->second;
}

Contention LockStates::operate(LockIndex lock, ThreadId thread, LocksetId others) {
  State& state = locks_[static_cast<std::size_t>(lock)];
  offer(state, thread);
  state.use = next_use(state, thread);
  state.owner = thread;
  note_use(state, thread);
  state.always_held = sets_.intersection(state.always_held, others);
  if (state.use == Use::kThreadLocal) return Contention::kNotYet;
  state.protecting = sets_.intersection(state.protecting, others);
  if (state.use == Use::kThreadLocal2 || state.use == Use::kOwnAgain) return Contention::kNotYet;
  const bool is_protected = options_.protected_locks && state.protecting != kNoLocks;
  return is_protected ? Contention::kNone : Contention::kPossible;
}

void LockStates::operate_alone(LockIndex lock, ThreadId thread) {
  State& state = locks_[static_cast<std::size_t>(lock)];
  if (state.use == Use::kFresh && options_.thread_local_locks) {
    state.use = Use::kThreadLocal;
    state.owner = thread;
    note_use(state, thread);
  }
}

bool LockStates::hands_over() const {
  return options_.ordered_handover && options_.thread_local_data && options_.thread_local_locks;
}

// Before `thread` uses the lock: makes `thread` its only owner if all uses by others come before.
void LockStates::offer(State& state, ThreadId thread) {
  if (!hands_over() || state.use == Use::kFresh) return;
  const bool for_one = state.use == Use::kThreadLocal || state.use == Use::kOwnAgain;
  if (for_one && state.owner == thread) return;
  if (!order_.before(state.uses, order_.slot_of(thread))) return;
  state.use = state.use == Use::kThreadLocal ? Use::kThreadLocal : Use::kOwnAgain;
  state.owner = thread;
  state.protecting = state.always_held = kAllLocks;
  state.uses = {};
}

void LockStates::note_use(State& state, ThreadId thread) {
  if (!hands_over()) return;
  const ThreadOrder::Slot slot = order_.slot_of(thread);
  state.uses = {order_.act(slot), state.uses.slots | ThreadOrder::only(slot)};
}

// Before `thread` acquires the lock.
bool LockStates::is_seen(const State& state, ThreadId thread) const {
  return !options_.seen_handover || !hands_over() ||
         order_.sees(state.uses, order_.slot_of(thread));
}

LockStates::Use LockStates::next_use(const State& state, ThreadId thread) const {
  switch (state.use) {
    case Use::kFresh:
      return options_.thread_local_locks ? Use::kThreadLocal : Use::kShared;
    case Use::kThreadLocal:
      if (state.owner == thread) return Use::kThreadLocal;
      return options_.thread_local_locks2 && is_seen(state, thread) ? Use::kThreadLocal2
                                                                    : Use::kShared;
    case Use::kThreadLocal2:
    case Use::kOwnAgain:
      return state.owner == thread ? state.use : Use::kShared;
    case Use::kShared:
      return Use::kShared;
  }
  return Use::kShared;
}

void LockStates::forget(Address address, std::uint64_t size) {
  const auto first = addresses_.lower_bound(address);
  const auto last = addresses_.lower_bound(address + size);
  if (first == last) return;
  addresses_.erase(first, last);
  indexes_.clear();
}

}  // namespace isosan::atomizer
