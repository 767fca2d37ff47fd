#include "analysis/atomizer/lock_states.h"

namespace isosan::atomizer {

LockIndex LockStates::look_up(Address lock) {
  const auto [place, is_new] = addresses_.try_emplace(lock, static_cast<LockIndex>(locks_.size()));
  if (is_new) locks_.push_back({.address = lock});
  return place->second;
}

bool LockStates::operate(LockIndex lock, ThreadId thread, LocksetId others) {
  State& state = locks_[static_cast<std::size_t>(lock)];
  state.use = next_use(state, thread);
  state.owner = thread;
  if (state.use == Use::kThreadLocal) return true;
  state.protecting = sets_.intersection(state.protecting, others);
  if (state.use == Use::kThreadLocal2) return true;
  return options_.protected_locks && state.protecting != kNoLocks;
}

bool LockStates::operate_alone(LockIndex lock, ThreadId thread) {
  State& state = locks_[static_cast<std::size_t>(lock)];
  if (state.use == Use::kFresh && options_.thread_local_locks) {
    state.use = Use::kThreadLocal;
    state.owner = thread;
  }
  return true;
}

LockStates::Use LockStates::next_use(const State& state, ThreadId thread) const {
  switch (state.use) {
    case Use::kFresh:
      return options_.thread_local_locks ? Use::kThreadLocal : Use::kShared;
    case Use::kThreadLocal:
      if (state.owner == thread) return Use::kThreadLocal;
      return options_.thread_local_locks2 ? Use::kThreadLocal2 : Use::kShared;
    case Use::kThreadLocal2:
      return state.owner == thread ? Use::kThreadLocal2 : Use::kShared;
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
