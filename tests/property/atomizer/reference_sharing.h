// What the reference knows of each byte and each lock: whose it is, and which locks protect it.
#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "analysis/atomizer/options.h"
#include "property/atomizer/reference_state.h"

namespace isosan::test::reference {

enum class Lock { kShared, kOwn, kMoves };

class Sharing {
 protected:
  explicit Sharing(const AtomizerOptions& rules) : rules_(rules) {}

  static bool is_own(const Byte& byte) {
    return byte.state == State::kLocal || byte.state == State::kOwnAgain ||
           byte.state == State::kLocal2;
  }

  bool byte_moves(Byte& byte, ThreadId thread, const Locks& held, bool write) {
    const bool handed_over = rules_.ordered_handover && rules_.thread_local_data;
    if (rules_.lone_thread && alone_ == thread &&
        (byte.state != State::kFresh || !rules_.thread_local_data))
      return true;
    if (handed_over) offer(byte, thread);
    const bool moves = use(byte, thread, held, write);
    if (!handed_over) return moves;
    const ThreadOrder::Slot slot = order_.slot_of(thread);
    byte.last_use = order_.act(slot);
    byte.users |= ThreadOrder::only(slot);
    if (write) byte.last_write = byte.last_use;
    return moves;
  }

  Lock next_state(LockState& lock, ThreadId thread, const Locks& held) {
    bool seen = true;
    if (rules_.ordered_handover && rules_.thread_local_data && rules_.thread_local_locks) {
      offer(lock, thread);
      const ThreadOrder::Slot slot = order_.slot_of(thread);
      seen = !rules_.seen_handover || order_.sees(lock.uses, slot);
      lock.uses = {order_.act(slot), lock.uses.slots | ThreadOrder::only(slot)};
    }
    const bool mine = lock.owner == thread;
    if (lock.state == State::kFresh) {
      lock.state = rules_.thread_local_locks ? State::kLocal : State::kShared;
    } else if (lock.state == State::kLocal && !mine) {
      lock.state = rules_.thread_local_locks2 && seen ? State::kLocal2 : State::kShared;
    } else if ((lock.state == State::kLocal2 || lock.state == State::kOwnAgain) && !mine) {
      lock.state = State::kShared;
    }
    lock.owner = thread;
    lock.always_held = narrowed(lock.always_held, held);
    if (lock.state == State::kLocal) return Lock::kOwn;
    lock.protecting = narrowed(lock.protecting, held);
    if (lock.state == State::kLocal2 || lock.state == State::kOwnAgain) return Lock::kOwn;
    return rules_.protected_locks && !lock.protecting->empty() ? Lock::kMoves : Lock::kShared;
  }

  bool is_contended(int identity) const {
    const auto found = std::ranges::find_if(
        locks_, [&](const auto& lock) { return lock.second.identity == identity; });
    if (found == locks_.end()) return were_contended_.contains(identity);  // its memory went
    const LockState& lock = found->second;
    return lock.state == State::kShared &&
           (!rules_.protected_locks || (lock.always_held && lock.always_held->empty()));
  }

  LockState& lock_at(Address address) {
    LockState& lock = locks_[address];
    if (lock.identity == 0) lock.identity = ++identities_;
    return lock;
  }
  void forget(Address address, std::uint64_t size) {
    for (Address a = address; a < address + size; ++a) {
      bytes_.erase(a);
      const auto lock = locks_.find(a);
      if (lock == locks_.end()) continue;
      if (is_contended(lock->second.identity)) were_contended_.insert(lock->second.identity);
      locks_.erase(lock);
    }
    order_.forget(address, size);
  }

  const AtomizerOptions& rules_;
  std::map<Address, Byte> bytes_;
  std::map<Address, LockState> locks_;
  ThreadOrder order_;
  std::optional<ThreadId> alone_;  // the one thread that is there

 private:
  // Before somebody uses it: the user's alone, if all uses by others come before.
  void offer(Byte& byte, ThreadId thread) {
    const ThreadOrder::Slot slot = order_.slot_of(thread);
    const bool for_one = byte.state == State::kLocal || byte.state == State::kOwnAgain;
    if (byte.state == State::kFresh || (for_one && byte.owner == thread)) return;
    if (for_one) byte.users = ThreadOrder::only(order_.last_slot_of(byte.owner));
    if (order_.before({byte.last_use, byte.users}, slot)) {
      const bool wrote = byte.state == State::kLocal2 && byte.owner == thread && byte.owner_wrote;
      byte = {byte.state == State::kLocal ? State::kLocal : State::kOwnAgain,
              thread,
              false,
              {},
              {},
              byte.last_use,
              wrote ? byte.last_use : 0};
    } else if (rules_.seen_handover && byte.state == State::kLocal &&
               !order_.sees({byte.last_use, byte.users}, slot)) {
      byte.state = State::kLocal2;
      byte.owner_wrote = byte.last_write != 0 && !order_.sees({byte.last_write, byte.users}, slot);
    } else if (byte.state == State::kOwnAgain) {
      byte.state = State::kLocal2;
      byte.owner_wrote = !order_.before({byte.last_write, byte.users}, slot);
    }
  }

  void offer(LockState& lock, ThreadId thread) {
    const bool for_one = lock.state == State::kLocal || lock.state == State::kOwnAgain;
    if (lock.state == State::kFresh || (for_one && lock.owner == thread)) return;
    if (!order_.before(lock.uses, order_.slot_of(thread))) return;
    lock = {lock.identity,
            lock.state == State::kLocal ? State::kLocal : State::kOwnAgain,
            thread,
            {},
            {},
            {}};
  }

  bool use(Byte& byte, ThreadId thread, const Locks& held, bool write) {
    if (byte.state == State::kOwnAgain) return true;
    if (byte.state == State::kFresh && rules_.thread_local_data) {
      byte = {State::kLocal, thread, write, {}, {}};
      return true;
    }
    if (byte.state == State::kLocal) {
      if (byte.owner == thread) return true;
      byte.state = State::kLocal2;
      byte.owner = thread;
      byte.owner_wrote = write;
      return true;
    }
    if (byte.state == State::kLocal2 && byte.owner == thread) {
      byte.owner_wrote |= write;
      return true;
    }
    if (!write &&
        (byte.state == State::kReadShared || (byte.state == State::kLocal2 && !byte.owner_wrote))) {
      byte.state = State::kReadShared;
      return true;
    }
    byte.state = State::kShared;
    byte.access = narrowed(byte.access, held);
    if (write) byte.write = narrowed(byte.write, held);
    if (write || !rules_.write_protected) return !byte.access->empty();
    return !narrowed(byte.write, held)->empty();
  }

  std::set<int> were_contended_;  // locks whose memory went
  int identities_ = 0;
};

}  // namespace isosan::test::reference
