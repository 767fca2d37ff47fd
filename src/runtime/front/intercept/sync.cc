// Locks and conditions; POSIX and C11. What publishes is logged before the real call, what observes
// after it; while the real call may block the thread is at a safe point.
// A thread first tries the lock: most locks are free, or soon will be, and then the thread need not
// enter a safe point.
#include "runtime/sync/sync.h"

#include <errno.h>

#include "runtime/front/intercept/intercept.h"
#include "runtime/modes/noise.h"
#include "runtime/platform/arch.h"
#include "runtime/schedule/oracles.h"
#include "runtime/schedule/schedule.h"
#include "runtime/schedule/timing.h"

namespace isosan::rt {
namespace {

struct Codes {  // what the two families of functions return
  int busy;
  int timed_out;
};
constexpr Codes kPosix{EBUSY, ETIMEDOUT};
constexpr Codes kC11{thrd_busy, thrd_timedout};

// An error-checking mutex, or a lock that its own writer asks for again, returns an error instead
// of waiting. A try does not distinguish that from a busy lock; a timed wait with a deadline in the
// past does. A thread that may block needs neither: its wait returns the error.
constexpr timespec kYesterday{0, 0};
int refusal(int result) { return result == ETIMEDOUT ? EBUSY : result; }
// In glibc, a try of a robust mutex that cannot be recovered leaves it locked. So such a mutex is
// locked by the same call that the program made.
constexpr int kRobust = 16;  // of glibc's __kind
constexpr int kNotTried = -1;
int try_mutex(pthread_mutex_t* m) {
  if (!g_serialized && (m->__data.__kind & kRobust) != 0) return kNotTried;
  const int result = real.pthread_mutex_trylock(m);
  const bool checks =
      g_serialized && result == EBUSY && (m->__data.__kind & 3) == PTHREAD_MUTEX_ERRORCHECK_NP;
  return checks ? refusal(real.pthread_mutex_timedlock(m, &kYesterday)) : result;
}
int try_write(pthread_rwlock_t* l) {
  const int result = real.pthread_rwlock_trywrlock(l);
  const bool checks = g_serialized && result == EBUSY;
  return checks ? refusal(real.pthread_rwlock_timedwrlock(l, &kYesterday)) : result;
}
int try_read(pthread_rwlock_t* l) {
  const int result = real.pthread_rwlock_tryrdlock(l);
  const bool checks = g_serialized && result == EBUSY;
  return checks ? refusal(real.pthread_rwlock_timedrdlock(l, &kYesterday)) : result;
}

bool got_it(int result) { return result == 0 || result == EOWNERDEAD; }

void have_lock(Thread& t, const volatile void* lock, LockMode mode, std::uint64_t place) {
  lock_acquired(t, address_of(lock), mode, place);
  keep_waiting(t, address_of(lock), mode);
}

// Logs how it ended, and returns that.
int taken(Thread& t, const volatile void* lock, LockMode mode, std::uint64_t place, Codes codes,
          int result) {
  if (got_it(result)) {
    have_lock(t, lock, mode, place);
  } else if (result == codes.timed_out) {
    gave_up(t, address_of(lock), place);
  }
  return result;
}

// One thread runs at a time: a lock that cannot be had is waited for in the scheduler.
template <class Try>
int take_in_turn(Thread& t, const volatile void* lock, LockMode mode, std::uint64_t nanoseconds,
                 Codes codes, Try try_it) {
  const auto waits = mode == LockMode::kShared ? log::Waits::kSharedLock : log::Waits::kLock;
  for (;;) {
    const int result = try_it();
    if (result != codes.busy) return result;
    if (!wait_for(t, waits, address_of(lock), nanoseconds)) return codes.timed_out;
  }
}

// The holder is often about to release the lock: blocking would cost both threads a system call.
// The pauses grow, because each try takes the lock's cache line from its holder. Only one thread at
// a time waits like that: the others may need the processor. A thread does not wait like that while
// another waits for its answer.
std::atomic<bool> somebody_lingers{false};
template <class Try>
int linger(const Thread& t, Codes codes, Try try_it) {
  if (somebody_lingers.exchange(true, std::memory_order_relaxed)) return codes.busy;
  int result = codes.busy;
  for (int pauses = 8; result == codes.busy && pauses <= kLastPausesForLock; pauses *= 2) {
    for (int i = 0; i < pauses && !must_answer(t); ++i) cpu_pause();
    if (must_answer(t)) break;
    result = try_it();
  }
  somebody_lingers.store(false, std::memory_order_relaxed);
  return result;
}

// Before it is taken, where one thread runs at a time. A lock in freed memory is never touched: its
// acquire is logged, and the run ends.
void come_to(Thread& t, const volatile void* lock, LockMode mode, std::uint64_t place) {
  point(t, {address_of(lock), 1, mode == LockMode::kExclusive});
  if (!run_is_broken()) return;
  lock_acquired(t, address_of(lock), mode, place);
  end_broken_run();
}

template <class Try, class Block>
int take(const volatile void* lock, LockMode mode, std::uint64_t place, Codes codes,
         std::uint64_t nanoseconds, Try try_first, Block block) {
  Thread* t = observed();
  if (t == nullptr) return block();
  RuntimeScope scope(t);
  if (serialized(t)) {
    come_to(*t, lock, mode, place);
    const int result = take_in_turn(*t, lock, mode, nanoseconds, codes, try_first);
    return taken(*t, lock, mode, place, codes, result);
  }
  make_noise(*t);
  int result = try_first();
  if (result == codes.busy) result = linger(*t, codes, try_first);
  if (!got_it(result)) {
    BlockedScope blocked(t);
    result = block();
  }
  return taken(*t, lock, mode, place, codes, result);
}

template <class Try>
int try_take(const volatile void* lock, LockMode mode, std::uint64_t place, Try try_it) {
  Thread* t = observed();
  if (t == nullptr) return try_it();
  RuntimeScope scope(t);
  if (serialized(t)) come_to(*t, lock, mode, place);
  make_noise(*t);
  const int result = try_it();
  if (got_it(result)) {
    have_lock(*t, lock, mode, place);
  } else {
    lock_tried_in_vain(*t, address_of(lock), place);
  }
  return result;
}

template <class Real>
int give_up(const volatile void* lock, std::uint64_t place, Real release) {
  Thread* t = observed();
  if (t == nullptr) return release();
  RuntimeScope scope(t);
  lock_releasing(*t, address_of(lock), place);
  wake(address_of(lock), kEverybody);  // nobody tries before the release: this thread runs
  const int result = release();
  make_noise(*t);
  return result;
}

// A mutex that knows its holder returns an error to any other thread that unlocks it. Then nothing
// happens.
bool refuses_to_be_given_up(const pthread_mutex_t& m) {
  const int kind = m.__data.__kind;
  if (kind != PTHREAD_MUTEX_RECURSIVE_NP && kind != PTHREAD_MUTEX_ERRORCHECK_NP) return false;
  const Thread* t = observed();
  return t != nullptr && static_cast<std::uint32_t>(m.__data.__owner) !=
                             t->slot->tid.load(std::memory_order_relaxed);
}

void log_sync(Thread& t, Kind kind, const volatile void* object, std::uint64_t place,
              std::uint8_t detail = 0) {
  sync_event(t, {kind, address_of(object), place, detail});
}

// The mutex of C11 is the POSIX one under another name.
int wait_in_turn(Thread& t, const void* condition, pthread_mutex_t* mutex,
                 std::uint64_t nanoseconds, Codes codes) {
  const int released = real.pthread_mutex_unlock(mutex);
  if (released != 0) return released;
  wake(address_of(mutex), kEverybody);
  const bool in_time = wait_for(t, log::Waits::kCondition, address_of(condition), nanoseconds);
  take_in_turn(t, mutex, LockMode::kExclusive, kForEver, kPosix,
               [&] { return real.pthread_mutex_trylock(mutex); });
  return in_time ? 0 : codes.timed_out;
}

template <class Real>
int wait_on(const void* condition, void* mutex, std::uint64_t place, Codes codes,
            std::uint64_t nanoseconds, Real wait) {
  Thread* t = observed();
  if (t == nullptr) return wait();
  RuntimeScope scope(t);
  log_sync(*t, Kind::kWaitBegin, condition, place);
  t->lost_try = false;  // to wait is not to back off
  lock_releasing(*t, address_of(mutex), place);
  int result;
  if (serialized(t)) {
    result = wait_in_turn(*t, condition, static_cast<pthread_mutex_t*>(mutex), nanoseconds, codes);
  } else {
    BlockedScope blocked(t);
    result = wait();
  }
  have_lock(*t, mutex, LockMode::kExclusive, place);
  const WaitOutcome outcome =
      result == codes.timed_out ? WaitOutcome::kTimedOut : WaitOutcome::kNotified;
  log_sync(*t, Kind::kWaitEnd, condition, place, static_cast<std::uint8_t>(outcome));
  return result;
}

void notify(const void* condition, NotifyScope scope_of, std::uint64_t place) {
  if (Thread* t = observed()) {
    RuntimeScope scope(t);
    log_sync(*t, Kind::kNotify, condition, place, static_cast<std::uint8_t>(scope_of));
    wake(address_of(condition), scope_of == NotifyScope::kOne ? 1 : kEverybody);
  }
}

}  // namespace
}  // namespace isosan::rt

using namespace isosan::rt;
using isosan::Kind;
using isosan::LockMode;
using isosan::NotifyScope;

#define TAKE(name, parameters, lock, mode, codes, time, try_call, call)             \
  ISOSAN_EXPORT int name parameters {                                               \
    return take(                                                                    \
        lock, LockMode::mode, ISOSAN_CALLER, codes, time, [&] { return try_call; }, \
        [&] { return call; });                                                      \
  }
#define EXCLUSIVE(name, parameters, lock, time, try_call, call) \
  TAKE(name, parameters, lock, kExclusive, kPosix, time, try_call, call)
#define SHARED(name, parameters, lock, time, try_call, call) \
  TAKE(name, parameters, lock, kShared, kPosix, time, try_call, call)
#define TRY(name, type, mode)                                                              \
  ISOSAN_EXPORT int name(type* lock) {                                                     \
    return try_take(lock, LockMode::mode, ISOSAN_CALLER, [&] { return real.name(lock); }); \
  }
#define UNLOCK(name, type)                                                \
  ISOSAN_EXPORT int name(type* lock) {                                    \
    return give_up(lock, ISOSAN_CALLER, [&] { return real.name(lock); }); \
  }

EXCLUSIVE(pthread_mutex_lock, (pthread_mutex_t * m), m, kForEver, try_mutex(m),
          real.pthread_mutex_lock(m))
EXCLUSIVE(pthread_mutex_timedlock, (pthread_mutex_t * m, const timespec* until), m,
          time_until(CLOCK_REALTIME, until), try_mutex(m), real.pthread_mutex_timedlock(m, until))
EXCLUSIVE(pthread_mutex_clocklock, (pthread_mutex_t * m, clockid_t clock, const timespec* until), m,
          time_until(clock, until), try_mutex(m), real.pthread_mutex_clocklock(m, clock, until))
EXCLUSIVE(pthread_rwlock_wrlock, (pthread_rwlock_t * l), l, kForEver, try_write(l),
          real.pthread_rwlock_wrlock(l))
EXCLUSIVE(pthread_rwlock_timedwrlock, (pthread_rwlock_t * l, const timespec* until), l,
          time_until(CLOCK_REALTIME, until), try_write(l),
          real.pthread_rwlock_timedwrlock(l, until))
EXCLUSIVE(pthread_rwlock_clockwrlock,
          (pthread_rwlock_t * l, clockid_t clock, const timespec* until), l,
          time_until(clock, until), try_write(l), real.pthread_rwlock_clockwrlock(l, clock, until))
EXCLUSIVE(pthread_spin_lock, (pthread_spinlock_t * l), l, kForEver, real.pthread_spin_trylock(l),
          real.pthread_spin_lock(l))
TAKE(mtx_lock, (mtx_t * m), m, kExclusive, kC11, kForEver, real.mtx_trylock(m), real.mtx_lock(m))
TAKE(mtx_timedlock, (mtx_t * m, const timespec* until), m, kExclusive, kC11,
     time_until(CLOCK_REALTIME, until), real.mtx_trylock(m), real.mtx_timedlock(m, until))
SHARED(pthread_rwlock_rdlock, (pthread_rwlock_t * l), l, kForEver, try_read(l),
       real.pthread_rwlock_rdlock(l))
SHARED(pthread_rwlock_timedrdlock, (pthread_rwlock_t * l, const timespec* until), l,
       time_until(CLOCK_REALTIME, until), try_read(l), real.pthread_rwlock_timedrdlock(l, until))
SHARED(pthread_rwlock_clockrdlock, (pthread_rwlock_t * l, clockid_t clock, const timespec* until),
       l, time_until(clock, until), try_read(l), real.pthread_rwlock_clockrdlock(l, clock, until))
TRY(pthread_mutex_trylock, pthread_mutex_t, kExclusive)
TRY(pthread_rwlock_trywrlock, pthread_rwlock_t, kExclusive)
TRY(pthread_rwlock_tryrdlock, pthread_rwlock_t, kShared)
TRY(pthread_spin_trylock, pthread_spinlock_t, kExclusive)
TRY(mtx_trylock, mtx_t, kExclusive)
ISOSAN_EXPORT int pthread_mutex_unlock(pthread_mutex_t* m) {
  if (refuses_to_be_given_up(*m)) return real.pthread_mutex_unlock(m);
  return give_up(m, ISOSAN_CALLER, [&] { return real.pthread_mutex_unlock(m); });
}
UNLOCK(pthread_rwlock_unlock, pthread_rwlock_t)
UNLOCK(pthread_spin_unlock, pthread_spinlock_t)
UNLOCK(mtx_unlock, mtx_t)

ISOSAN_EXPORT int pthread_cond_wait(pthread_cond_t* c, pthread_mutex_t* m) {
  return wait_on(c, m, ISOSAN_CALLER, kPosix, kForEver,
                 [&] { return real.pthread_cond_wait(c, m); });
}
ISOSAN_EXPORT int pthread_cond_timedwait(pthread_cond_t* c, pthread_mutex_t* m,
                                         const timespec* until) {
  return wait_on(c, m, ISOSAN_CALLER, kPosix, time_until_by_either(until),
                 [&] { return real.pthread_cond_timedwait(c, m, until); });
}
ISOSAN_EXPORT int pthread_cond_clockwait(pthread_cond_t* c, pthread_mutex_t* m, clockid_t clock,
                                         const timespec* until) {
  return wait_on(c, m, ISOSAN_CALLER, kPosix, time_until(clock, until),
                 [&] { return real.pthread_cond_clockwait(c, m, clock, until); });
}
ISOSAN_EXPORT int cnd_wait(cnd_t* c, mtx_t* m) {
  return wait_on(c, m, ISOSAN_CALLER, kC11, kForEver, [&] { return real.cnd_wait(c, m); });
}
ISOSAN_EXPORT int cnd_timedwait(cnd_t* c, mtx_t* m, const timespec* until) {
  return wait_on(c, m, ISOSAN_CALLER, kC11, time_until(CLOCK_REALTIME, until),
                 [&] { return real.cnd_timedwait(c, m, until); });
}

#define NOTIFY(name, type, scope)                 \
  ISOSAN_EXPORT int name(type* c) {               \
    notify(c, NotifyScope::scope, ISOSAN_CALLER); \
    return real.name(c);                          \
  }
NOTIFY(pthread_cond_signal, pthread_cond_t, kOne)
NOTIFY(pthread_cond_broadcast, pthread_cond_t, kAll)
NOTIFY(cnd_signal, cnd_t, kOne)
NOTIFY(cnd_broadcast, cnd_t, kAll)
