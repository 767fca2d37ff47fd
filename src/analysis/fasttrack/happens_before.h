// The happens-before order of one execution: a clock per thread, moved by synchronization.
//
// Model: C_t is all that happens before thread t's next operation. Locks, conditions, barriers,
// semaphores, once and publish/observe follow the slots of sync_effect.h: W and R of an object hold
// clocks. Fork and join act on the two threads' clocks directly (semantics.md); thread start
// and end add nothing. C++ atomics follow [atomics.order] and [atomics.fences] of C++20, given that
// the trace has each load after the store that it read:
//   - a release store leaves C_t in the location (the head of a release sequence), a
//     read-modify-write adds to what stands there, any other atomic store ends the sequence;
//   - an acquire load joins what stands there; a relaxed load keeps it *pending*, and an acquire
//     fence joins what is pending;
//   - a release fence keeps C_t as *fenced*: that is what relaxed stores after it leave behind.
// Law: every operation that publishes C_t (or keeps it for publishing) steps t's own time
// afterwards: one publication per time (vector_clock.h), so an epoch that is covered needs no join.
// Not here: memory accesses and what races are. Consume counts as acquire.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "base/byte_map.h"
#include "base/vector_clock.h"
#include "event/event.h"
#include "event/sync_effect.h"

namespace isosan {

constexpr bool acquires(MemoryOrder order) {
  return order != MemoryOrder::kRelaxed && order != MemoryOrder::kRelease;
}
constexpr bool releases(MemoryOrder order) {
  return order == MemoryOrder::kRelease || order == MemoryOrder::kAcqRel ||
         order == MemoryOrder::kSeqCst;
}

class HappensBefore {
 public:
  struct Thread {
    VectorClock clock;    // C_t
    Epoch epoch;          // E(t) = C_t(t)@t
    VectorClock fenced;   // C_t at the last release fence
    VectorClock pending;  // what relaxed loads saw since the last acquire fence
  };

  Thread& thread(ThreadId id) {
    if (index(id) >= threads_.size()) [[unlikely]]
      add_threads_up_to(index(id));
    return threads_[index(id)];
  }
  std::size_t thread_count() const { return threads_.size(); }

  void fork(ThreadId parent, ThreadId child) {
    thread(index(parent) > index(child) ? parent : child);  // create both before taking references
    thread(child).clock.join(thread(parent).clock);
    step(thread(parent));
  }
  void join(ThreadId waiter, ThreadId ended) {
    thread(index(waiter) > index(ended) ? waiter : ended);
    thread(waiter).clock.join(thread(ended).clock);
    step(thread(ended));
  }

  // Any other synchronization operation, by its slots. Generations distinguish the uses of a
  // barrier; every other object has generation 0.
  void synchronize(ThreadId id, Address object, SyncEffect effect, std::uint64_t generation = 0) {
    if (!effect.observes_w && !effect.observes_r && !effect.sets_w && !effect.joins_r) return;
    Thread& t = thread(id);
    Slots& slots = objects_[{object, generation}];
    if (effect.observes_w && !t.clock.covers(slots.w_epoch)) t.clock.join(slots.w);
    if (effect.observes_r && !slots.r.empty()) t.clock.join(slots.r);
    if (effect.sets_w) {
      slots.w = t.clock;
      slots.w_epoch = t.epoch;
      slots.r.clear();
    }
    if (effect.joins_r) slots.r.join(t.clock);
    if (effect.sets_w || effect.joins_r) step(t);
  }

  // A phase of a barrier is kept until all that arrived have departed. A thread may be slow to
  // depart while others, if they are as many as the barrier waits for, go through further phases.
  void barrier_arrive(ThreadId id, Address barrier, std::uint64_t generation) {
    ++objects_[{barrier, generation}].inside;
    synchronize(id, barrier, sync_effect(Kind::kBarrierArrive, 0), generation);
  }
  void barrier_depart(ThreadId id, Address barrier, std::uint64_t generation) {
    synchronize(id, barrier, sync_effect(Kind::kBarrierDepart, 0), generation);
    const auto phase = objects_.find({barrier, generation});
    if (phase->second.inside > 0 && --phase->second.inside == 0) objects_.erase(phase);
  }

  // An atomic object is known by its address.
  void load(ThreadId id, Address address, MemoryOrder order) {
    Thread& t = thread(id);
    released_.visit(address, 1, [&](VectorClock& released) { take(t, order, released); });
  }
  void store(ThreadId id, Address address, MemoryOrder order) {
    Thread& t = thread(id);
    released_.visit(address, 1, [&](VectorClock& released) {
      released = releases(order) ? t.clock : t.fenced;
    });
    if (releases(order)) step(t);
  }
  // The second half of a read-modify-write; the first is load().
  void continue_release(ThreadId id, Address address, MemoryOrder order) {
    Thread& t = thread(id);
    released_.visit(address, 1, [&](VectorClock& released) {
      released.join(releases(order) ? t.clock : t.fenced);
    });
    if (releases(order)) step(t);
  }
  void fence(ThreadId id, MemoryOrder order) {
    Thread& t = thread(id);
    if (acquires(order)) {
      t.clock.join(t.pending);
      t.pending.clear();
    }
    if (releases(order)) {
      t.fenced = t.clock;
      step(t);
    }
  }
  // The caller has published C_t elsewhere.
  void step(ThreadId id) { step(thread(id)); }

  // Bytes that were allocated or freed hold other atomic objects, if any.
  void renew(Address address, std::uint64_t size) { released_.reset(address, size); }

 private:
  struct Slots {
    VectorClock w;
    Epoch w_epoch;  // w is the clock that this epoch's thread published then
    VectorClock r;
    std::uint32_t inside = 0;  // of a barrier's phase: threads that arrived and did not depart yet
  };

  static void take(Thread& t, MemoryOrder order, const VectorClock& released) {
    (acquires(order) ? t.clock : t.pending).join(released);
  }

  static void step(Thread& t) {
    t.clock.tick(t.epoch.thread());
    t.epoch = t.clock.epoch_of(t.epoch.thread());
  }

  void add_threads_up_to(std::uint32_t last) {
    for (auto id = static_cast<std::uint32_t>(threads_.size()); id <= last; ++id) {
      Thread& t = threads_.emplace_back();
      t.epoch = Epoch(id, 0);
      step(t);
    }
  }

  std::vector<Thread> threads_;
  absl::flat_hash_map<std::pair<Address, std::uint64_t>, Slots> objects_;
  ByteMap<VectorClock> released_;  // at the first byte of each atomic object
};

}  // namespace isosan
