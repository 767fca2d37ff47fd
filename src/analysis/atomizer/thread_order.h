// What comes before a thread's present in every schedule, by fork, join and barriers: ours, not the
// paper's (a hybrid of locksets and happens-before, after O'Callahan and Choi, PPoPP 2003).
//
// Model: time is a counter that goes on at each fork, end, join and barrier. A
// thread knows of each other one up to which time all that it did comes before: a forked thread
// what its parent knows and did, one that joins what the joined one knows and did, one that departs
// from a barrier what those who arrived knew and did. Locks, conditions and semaphores hand on
// nothing: their order could be another one. Uses say of a location who used it and when somebody
// did last; if a thread knows all of these up to then, all of it comes before its present.
//
// Threads are told apart by 31 slots. A thread gets that of a joined one whose end its parent
// knows, so that what was done in the slot before comes before it; where none is left, the common
// one, of which nobody knows anything. Law: what is said to come before does; what is not said,
// with at most 31 threads at a time, is where one who is not known up to the last use did something
// since. The time does not wrap: when it stands still, nothing more is ordered.
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
  Slot last_slot_of(ThreadId thread) const { return last_slots_[index(thread)]; }  // it was seen

  void fork(ThreadId by, ThreadId child);
  void end(ThreadId thread);
  void join(ThreadId by, ThreadId child);
  void arrive(const BarrierArrive& e);
  void depart(const BarrierDepart& e);
  void forget(Address address, std::uint64_t size);  // barriers in these bytes are gone

  // All uses by others come before what a thread of this slot does now.
  bool before(Uses uses, Slot slot) const {
    const std::uint32_t others = uses.slots & ~only(slot);
    return slot != kCommon && knows(slot, others, uses.last);
  }
  Time act(Slot slot) { return acted_[slot] = now_; }  // a thread of it uses something now

 private:
  static constexpr Slot kSlots = 32, kCommon = 31, kNoSlot = 255;
  static constexpr Time kNever = ~Time{0}, kLastTime = kNever - 1;
  using Clock = std::array<Time, kSlots>;  // by slot: what was done before that time is known
  struct Meeting {                         // one generation of a barrier
    std::uint64_t generation;
    bool departed;  // then all have arrived
    Clock arrived;
  };

  static void join(Clock& clock, const Clock& other);
  bool knows(Slot slot, std::uint32_t others, Time last) const;
  bool knows_end(Slot slot, Slot other) const { return known_[slot][other] >= ended_[other]; }
  void go_on() {
    if (now_ < kLastTime) ++now_;
  }
  void wait_is_over(Meeting& meeting);
  Slot give_slot(ThreadId thread);
  Slot unused_slot();
  Slot slot_for_child_of(Slot parent);
  void set_slot(ThreadId thread, Slot slot);

  Time now_ = 1;
  std::vector<Slot> slots_;              // by ThreadId; kNoSlot: not seen yet, or joined
  std::vector<Slot> last_slots_;         // by ThreadId; of a joined one, too
  Slot used_ = 0;                        // slots [0, used_) were given away
  std::uint32_t alive_ = only(kCommon);  // slots whose thread has not ended
  std::array<Clock, kSlots> known_{};    // by slot; its own entry means nothing
  Clock ended_ = never();                // by slot: when its thread ended; kNever: it is alive
  Clock acted_{};                        // by slot: its last use of anything
  // By address; two generations of one barrier can be under way at a time, one odd and one even.
  absl::btree_map<Address, std::array<Meeting, 2>> meetings_;

  static constexpr Clock never() {
    Clock clock;
    clock.fill(kNever);
    return clock;
  }
};

}  // namespace isosan::atomizer
