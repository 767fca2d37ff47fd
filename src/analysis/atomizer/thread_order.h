// What comes before a thread's next operation, in every schedule and in this run: ours, not the
// paper's (a hybrid of locksets and happens-before, after O'Callahan and Choi, PPoPP 2003).
//
// In every schedule: by fork, join and barriers (before()). In this run: by these and all other
// synchronization that the run shows (sees()), locks, semaphores, conditions and atomics. A thread
// that does not even see another one's use could have run beside it.
//
// Model: time is a counter that advances at each fork, end, join, barrier and each operation that
// others may come after. For every other
// thread u, a thread *knows* a time before which all that u did comes before its own next
// operation. A forked thread starts with what its parent knows and did; a join adds what the joined
// thread knows and did; a departure from a barrier adds what all arrivers knew and did. Locks,
// conditions and semaphores add nothing to that: their order can differ in another run; they add to
// what a thread has *seen*, which is kept beside it in the same way. Uses records which
// threads used a location, and when it was used last. If a thread knows all those threads up to
// that time, all uses come before its next operation.
//
// There are 31 slots for threads. A new thread gets the slot of a joined thread whose end its
// parent knows: all that was done in the slot comes before it. Where none is left it gets the
// common slot, which is never ordered. Law: what before() orders is ordered in every run. With at
// most 31 threads at a time, it misses an order only where a user of the location used anything at
// or after the time up to which it is known. The time does not wrap: at its maximum nothing more is
// ordered.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/container/btree_map.h"
#include "event/event.h"

namespace isosan::atomizer {

class ThreadOrder {
 public:
  using Slot = std::uint8_t;
  using Time = std::uint32_t;  // 0: never
  struct Uses {
    Time last;            // 0: there were none
    std::uint32_t slots;  // of the users
  };
  static constexpr std::uint32_t only(Slot slot) { return 1u << slot; }

  Slot slot_of(ThreadId thread) {
    if (index(thread) < slots_.size() && slots_[index(thread)] != kNoSlot) [[likely]]
      return slots_[index(thread)];
    return give_slot(thread);
  }
  Slot last_slot_of(ThreadId thread) const { return last_slots_[index(thread)]; }  // seen before

  void fork(ThreadId by, ThreadId child);
  void end(ThreadId thread);
  void join(ThreadId by, ThreadId child);
  void arrive(const BarrierArrive& e);
  void depart(const BarrierDepart& e);
  void forget(Address address, std::uint64_t size);  // objects in these bytes are gone

  // Whoever comes to the object later sees all that the thread did until now. A reader of a lock
  // does not come after other readers.
  void leave(ThreadId thread, Address object, LockMode mode = LockMode::kExclusive);
  void come(ThreadId thread, Address object, LockMode mode = LockMode::kExclusive);

  // All uses by others come before what a thread of this slot does now.
  bool before(Uses uses, Slot slot) const {
    const std::uint32_t others = uses.slots & ~only(slot);
    return slot != kCommon && knows(slot, others, uses.last);
  }
  // The same in this run. True if one of the threads has no slot of its own.
  bool sees(Uses uses, Slot slot) const {
    return slot == kCommon ||
           sees_others(slot, uses.slots & ~only(slot) & ~only(kCommon), uses.last);
  }
  Time now() const { return now_; }
  Time act(Slot slot) { return acted_[slot] = now_; }  // a thread of this slot uses something now

 private:
  static constexpr Slot kSlots = 32, kCommon = 31, kNoSlot = 255;
  static constexpr Time kNever = ~Time{0}, kLastTime = kNever - 1;
  using Clock = std::array<Time, kSlots>;  // by slot: what was done before that time is known
  struct BarrierUse {                      // one generation of a barrier
    std::uint64_t generation;
    bool departed;  // a departure implies that all have arrived
    Clock arrived;
  };

  struct Left {  // what those see who come to an object
    Clock by_all{};
    Clock by_writers{};  // not by those that held it as readers
  };

  static void join(Clock& clock, const Clock& other);
  bool sees_others(Slot slot, std::uint32_t others, Time last) const;
  bool knows(Slot slot, std::uint32_t others, Time last) const;
  bool knows_end(Slot slot, Slot other) const { return known_[slot][other] >= ended_[other]; }
  void advance_time() {
    if (now_ < kLastTime) ++now_;
  }
  void extend_to_now(BarrierUse& use);
  Slot give_slot(ThreadId thread);
  Slot unused_slot();
  Slot slot_for_child_of(Slot parent);
  void set_slot(ThreadId thread, Slot slot);

  Time now_ = 1;
  std::vector<Slot> slots_;              // by ThreadId; kNoSlot: not seen yet, or joined
  std::vector<Slot> last_slots_;         // by ThreadId; of a joined one, too
  Slot used_ = 0;                        // slots [0, used_) are or were in use
  std::uint32_t alive_ = only(kCommon);  // slots whose thread has not ended
  std::array<Clock, kSlots> known_{};    // by slot; its own entry means nothing
  std::array<Clock, kSlots> seen_{};     // the same, for this run
  Clock ended_ = never();                // by slot: when its thread ended; kNever: it is alive
  Clock acted_{};                        // by slot: its last use of anything
  // By address; two generations of one barrier can be under way at a time, one odd and one even.
  absl::btree_map<Address, std::array<BarrierUse, 2>> barriers_;
  absl::btree_map<Address, Left> objects_;

  static constexpr Clock never() {
    Clock clock;
    clock.fill(kNever);
    return clock;
  }
};

}  // namespace isosan::atomizer
