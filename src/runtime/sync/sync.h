// Synchronization objects: what a thread that observes one comes after.
//
// Each object has the two slots of event/sync_effect.h: W is the last operation that everything
// later comes after, R collects operations that do not order each other. A slot records the thread,
// the position in its log, its epoch, and the clock it had. A thread that observes writes a marker
// for each entry that it does not come after yet (rule 7), and joins the clock. A thread that
// leaves something behind ends its epoch.
//
// Law: what publishes is logged and left behind before the real operation, what observes is logged
// after it, so that the log never claims more order than there was.
#pragma once

#include <cstdint>

#include "event/kind.h"
#include "runtime/thread/thread.h"

namespace isosan::rt {

struct SyncEvent {
  Kind kind{};
  std::uint64_t object = 0;
  std::uint64_t place = 0;
  std::uint8_t detail = 0;
  std::uint16_t depth = 0;
  std::uint64_t value = 0;  // barriers: the generation
};

// Observes, logs, leaves behind: what sync_effect() says of the kind.
void sync_event(Thread& t, const SyncEvent& event);

// Locks: the depth of re-entrant ones, and whether an unlock gives up a shared hold.
void lock_acquired(Thread& t, std::uint64_t lock, LockMode mode, std::uint64_t place);
void lock_releasing(Thread& t, std::uint64_t lock, std::uint64_t place);
// A try, or a timed wait, for a lock, semaphore or latch has ended without it: logged as a wait that
// timed out. No order comes of it.
void gave_up(Thread& t, std::uint64_t object, std::uint64_t place);
inline void lock_tried_in_vain(Thread& t, std::uint64_t lock, std::uint64_t place) {
  t.lost_try = true;
  gave_up(t, lock, place);
}
// ThreadId of the thread that holds it exclusively; kNobody: none does.
inline constexpr std::uint32_t kNobody = ~std::uint32_t{0};
std::uint32_t owner_of_lock(std::uint64_t lock);
// Has a thread released it that did not hold it? POSIX does not define that; glibc's default mutex
// is free then, and some programs use it as a semaphore.
bool was_handed_over(std::uint64_t lock);
// Once: which initializer has run (initializers.h), and whether it was another one than this.
void once_ran(Thread& t, std::uint64_t once, std::uint64_t initializer);
bool another_ran(Thread& t, std::uint64_t once, std::uint64_t initializer);
// Whatever was at this address is gone.
void forget_object(std::uint64_t object);

// Generation of a barrier: how many have arrived, in rounds of `participants`.
struct BarrierArrival {
  std::uint64_t round = 0;
  bool last = false;  // everybody of the round has arrived now
};
BarrierArrival barrier_arrival(std::uint64_t barrier, std::uint64_t participants);
void barrier_initialized(std::uint64_t barrier, std::uint64_t participants);
bool barrier_round_is_full(std::uint64_t barrier, std::uint64_t round);  // everybody has arrived
std::uint64_t barrier_participants(std::uint64_t barrier);

// What a thread that has ended leaves for the thread that joins it.
struct Farewell {
  std::uint32_t slot = 0;
  std::uint64_t epoch = 0;
  std::uint32_t thread = 0;
  std::uint64_t position = 0;
  std::uint32_t count = 0;
  std::uint64_t* clock = nullptr;  // from the pool
};
Farewell say_farewell(const Thread& t);  // after the last unit of t's log
// In the new thread; `function` is where it begins.
void log_thread_start(Thread& t, std::uint64_t function);
void log_fork(Thread& parent, Thread& child, std::uint64_t place);
void log_join(Thread& t, Farewell& farewell, std::uint64_t place);  // frees the clock

}  // namespace isosan::rt
