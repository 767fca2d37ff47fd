// Two orders of one execution, with the same times: what comes first in every schedule of a block,
// and what came first in this one.
//
// Model: C(t) of Figure 4 is moved by synchronization that is the same in every schedule: fork and
// join, barriers, once, publish and observe, and semaphores (semaphores.h). Locks and
// atomics do not move it: which thread comes first is the scheduler's choice. The happens-before
// order includes both kinds; the filter needs it. Where this order has an edge that C lacks, the
// two ends (unlock and lock, store and load of an atomic) are checked as operations that may
// conflict. The paper starts C afresh at begin(t); we do not: C is one order for all blocks, so
// that one check serves all that nest. It differs where two operations of a block are ordered by
// way of an operation outside it, and there external serializability is violated. Law: a thread's
// own time is the same in both: an epoch can be compared with either.
#pragma once

#include <cstdint>

#include "analysis/fasttrack/happens_before.h"

namespace isosan {

class BlockClocks {
 public:
  explicit BlockClocks(bool with_happens_before) : with_happens_before_(with_happens_before) {}

  const VectorClock& inside(ThreadId t) { return inside_.thread(t).clock; }
  const VectorClock& happens_before(ThreadId t) { return observed_.thread(t).clock; }
  Epoch epoch(ThreadId t) { return inside_.thread(t).epoch; }

  void fork(ThreadId parent, ThreadId child) {
    inside_.fork(parent, child);
    if (with_happens_before_) observed_.fork(parent, child);
  }
  void join(ThreadId waiter, ThreadId ended) {
    inside_.join(waiter, ended);
    if (with_happens_before_) observed_.join(waiter, ended);
  }
  void barrier_arrive(ThreadId t, Address barrier, std::uint64_t generation) {
    inside_.barrier_arrive(t, barrier, generation);
    if (with_happens_before_) observed_.barrier_arrive(t, barrier, generation);
  }
  void barrier_depart(ThreadId t, Address barrier, std::uint64_t generation) {
    inside_.barrier_depart(t, barrier, generation);
    if (with_happens_before_) observed_.barrier_depart(t, barrier, generation);
  }
  // The same in every schedule.
  void synchronize(ThreadId t, Address object, SyncEffect effect, std::uint64_t generation = 0) {
    inside_.synchronize(t, object, effect, generation);
    if (with_happens_before_) observed_.synchronize(t, object, effect, generation);
  }
  // The scheduler's choice.
  void synchronize_by_chance(ThreadId t, Address object, SyncEffect effect) {
    if (!with_happens_before_) return;
    observed_.synchronize(t, object, effect);
    keep_step(t);
  }
  void load(ThreadId t, Address address, MemoryOrder order) {
    if (with_happens_before_) observed_.load(t, address, order);
  }
  void store(ThreadId t, Address address, MemoryOrder order) {
    if (!with_happens_before_) return;
    observed_.store(t, address, order);
    keep_step(t);
  }
  void continue_release(ThreadId t, Address address, MemoryOrder order) {
    if (!with_happens_before_) return;
    observed_.continue_release(t, address, order);
    keep_step(t);
  }
  // Atomics that order the same in every schedule (commuting_atomics.h).
  void load_in_every_schedule(ThreadId t, Address address, MemoryOrder order) {
    inside_.load(t, address, order);
    if (with_happens_before_) observed_.load(t, address, order);
  }
  void continue_release_in_every_schedule(ThreadId t, Address address, MemoryOrder order) {
    inside_.continue_release(t, address, order);
    if (with_happens_before_) observed_.continue_release(t, address, order);
  }
  void fence(ThreadId t, MemoryOrder order) {
    if (!with_happens_before_) return;
    observed_.fence(t, order);
    keep_step(t);
  }
  void renew(Address address, std::uint64_t size) {
    inside_.renew(address, size);
    observed_.renew(address, size);
  }

  void step(ThreadId t) {
    inside_.step(t);
    if (with_happens_before_) observed_.step(t);
  }

  // A snapshot of a thread's clocks, for other threads to join later.
  struct Knowledge {
    VectorClock inside;
    VectorClock happens_before;

    void join(const Knowledge& other) {
      inside.join(other.inside);
      happens_before.join(other.happens_before);
    }
  };
  Knowledge publish(ThreadId t) {
    Knowledge knowledge{inside(t), happens_before(t)};
    step(t);
    return knowledge;
  }
  void learn(ThreadId t, const Knowledge& knowledge) {
    inside_.thread(t).clock.join(knowledge.inside);
    observed_.thread(t).clock.join(knowledge.happens_before);
  }

 private:
  void keep_step(ThreadId t) {
    if (inside_.thread(t).epoch != observed_.thread(t).epoch) inside_.step(t);
  }

  bool with_happens_before_;
  HappensBefore inside_;
  HappensBefore observed_;  // not advanced without happens-before
};

}  // namespace isosan
