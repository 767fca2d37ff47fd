// The state of one location (Fig. 13), 16 bytes: how far it is shared, under which locks, and which
// threads used it when.
//
//   fresh -> thread-local(t) -> thread-local (2)(u) -> read-shared -> shared-modified(A, W)
//
// The first access makes it thread-local; a second thread takes it over; a third one, or the first
// again, shares it: a write makes it shared-modified, and so does a read if the second owner has
// written (then it was written and read by several threads); otherwise a read makes it read-shared
// until a thread writes. In shared-modified the candidates start as the locks held at that access;
// a read that enters it leaves W at all locks.
//
// Ours: a second thread that does not see the first one's use in this run (thread_order.h) does not
// take the location over: it shares it at once.
//
// Ours (thread_order.h): if all earlier uses come before its access, a thread takes a location over
// from any state and has it for itself: as thread-local, if it was, else as *own again*, which goes
// on as thread-local (2) does: a location has at most one hand-over without an order. Own
// again and only read since the last write that the next thread knows of, it can be read-shared.
#pragma once

#include <cstdint>

#include "analysis/atomizer/thread_order.h"
#include "analysis/atomizer/witness_table.h"
#include "event/ids.h"

namespace isosan::atomizer {

enum class Sharing : std::uint8_t {
  kFresh,
  kThreadLocal,
  kThreadLocal2,
  kOwnAgain,
  kReadShared,
  kSharedModified,
};

class Location {
 public:
  using Slot = ThreadOrder::Slot;

  Sharing sharing() const { return static_cast<Sharing>(bits_ & 7); }

  ThreadId owner() const { return static_cast<ThreadId>(payload()); }
  bool owned_by(ThreadId thread) const { return payload() == index(thread); }
  // Only this thread has used it, since it was handed over.
  bool is_own_of(ThreadId thread) const { return has_owner() && owned_by(thread); }
  // After its use: until then it was another thread's own, or only read.
  bool comes_from_another(const Location& before, ThreadId user) const {
    if (before.is_own_of(user) || before.sharing() == Sharing::kFresh) return false;
    return before.has_owner() || before.sharing() != sharing();
  }
  bool has_owner() const { return is_for_one() || sharing() == Sharing::kThreadLocal2; }
  bool owner_wrote() const { return (bits_ & kWrote) != 0; }
  void note_write() { bits_ |= kWrote; }
  void make_thread_local(Sharing sharing, ThreadId owner, bool wrote) {
    set(sharing, index(owner));
    if (wrote) note_write();
  }
  void make_read_shared() { set(Sharing::kReadShared, 0); }

  PairId candidates() const { return static_cast<PairId>(payload()); }
  void make_shared_modified(PairId candidates) {
    set(Sharing::kSharedModified, static_cast<std::uint32_t>(candidates));
  }

  WitnessId history() const { return history_; }
  void set_history(WitnessId history) { history_ = history; }

  // With ordered hand-overs: called before `thread` uses the location; note_use() after.
  // `seen`: without an order in every schedule, one in this run is needed.
  void offer(ThreadId thread, Slot slot, const ThreadOrder& order, bool seen) {
    if (sharing() == Sharing::kFresh) return;
    if (is_for_one()) {
      if (owned_by(thread)) return;
      const Slot other = order.last_slot_of(owner());
      if (order.before({last_use_, ThreadOrder::only(other)}, slot)) return take_over(thread);
      const std::uint32_t owner_only = ThreadOrder::only(other);
      if (seen && sharing() == Sharing::kThreadLocal && !order.sees({last_use_, owner_only}, slot))
        return let_in_beside(other, last_write_or_users_ != 0 &&
                                        !order.sees({last_write_or_users_, owner_only}, slot));
      let_in(other, order.before({last_write_or_users_, owner_only}, slot));
    } else if (order.before({last_use_, last_write_or_users_}, slot)) {
      take_over(thread);
    }
  }
  template <bool kWrite>
  void note_use(Slot slot, ThreadOrder& order) {
    last_use_ = order.act(slot);
    if (!is_for_one()) {
      last_write_or_users_ |= ThreadOrder::only(slot);
    } else if (kWrite) {
      last_write_or_users_ = last_use_;
    }
  }

 private:
  static constexpr std::uint32_t kWrote = 8;
  std::uint32_t payload() const { return bits_ >> 4; }
  void set(Sharing sharing, std::uint32_t payload) {
    bits_ = static_cast<std::uint32_t>(sharing) | payload << 4;
  }

  bool is_for_one() const {
    return sharing() == Sharing::kThreadLocal || sharing() == Sharing::kOwnAgain;
  }
  void take_over(ThreadId thread) {
    const bool was_local = sharing() == Sharing::kThreadLocal;
    const bool wrote = sharing() == Sharing::kThreadLocal2 && owned_by(thread) && owner_wrote();
    make_thread_local(was_local ? Sharing::kThreadLocal : Sharing::kOwnAgain, thread, false);
    history_ = kNoWitness;
    last_write_or_users_ = wrote ? last_use_ : 0;  // an upper bound
  }
  void let_in(Slot owner_slot, bool writes_come_before) {  // another thread, without an order
    last_write_or_users_ = ThreadOrder::only(owner_slot);
    if (sharing() == Sharing::kOwnAgain)
      make_thread_local(Sharing::kThreadLocal2, owner(), !writes_come_before);
  }

  void let_in_beside(Slot owner_slot, bool owner_wrote) {  // another thread that sees no order
    last_write_or_users_ = ThreadOrder::only(owner_slot);
    make_thread_local(Sharing::kThreadLocal2, owner(), owner_wrote);
  }

  std::uint32_t bits_ = 0;  // Sharing (3), the owner wrote (1), ThreadId or PairId (28)
  WitnessId history_ = kNoWitness;
  ThreadOrder::Time last_use_ = 0;
  // With one owner: time of the last write, 0 for none. Otherwise: the slots of the users.
  std::uint32_t last_write_or_users_ = 0;
};
static_assert(sizeof(Location) == 16);  // with ByteMap's 8: 24 bytes per shared location

}  // namespace isosan::atomizer
