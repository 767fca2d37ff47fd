// Barriers, once and semaphores: synchronization that no thread holds. As for locks (sync.cc), what
// publishes is logged before the real call, what observes after it.
#include <errno.h>

#include "runtime/front/intercept/initializers.h"
#include "runtime/front/intercept/intercept.h"
#include "runtime/front/intercept/objects.h"
#include "runtime/schedule/schedule.h"
#include "runtime/schedule/timing.h"
#include "runtime/sync/sync.h"

namespace isosan::rt {
namespace {

int wait_semaphore_in_turn(Thread& t, sem_t* s, std::uint64_t nanoseconds) {
  point(t);
  while (real.sem_trywait(s) != 0) {
    if (errno != EAGAIN || nanoseconds == 0) return -1;
    if (!wait_for(t, log::Waits::kSemaphore, address_of(s), nanoseconds)) {
      errno = ETIMEDOUT;
      return -1;
    }
  }
  return 0;
}

template <class Real>
int wait_semaphore(sem_t* s, std::uint64_t place, std::uint64_t nanoseconds, Real wait) {
  Thread* t = observed();
  if (t == nullptr) return wait();
  RuntimeScope scope(t);
  int result = serialized(t) ? wait_semaphore_in_turn(*t, s, nanoseconds) : real.sem_trywait(s);
  if (result != 0 && !serialized(t)) {
    BlockedScope blocked(t);
    result = wait();
  }
  const int error = errno;
  if (result == 0) {
    sync_event(*t, {Kind::kSemaphoreWait, address_of(s), place});
  } else if (error == EAGAIN || error == ETIMEDOUT) {
    gave_up(*t, address_of(s), place);
  }
  errno = error;
  return result;
}

// A thread that finds a round full finds every arrival of it in the log: the turn does not move
// between the two.
BarrierArrival arrive_at_barrier(Thread& t, pthread_barrier_t* b, std::uint64_t place) {
  point(t);
  PointsOff points_off(t);
  const auto arrival = barrier_arrival(address_of(b), barrier_participants(address_of(b)));
  sync_event(t, {Kind::kBarrierArrive, address_of(b), place, 0, 0, arrival.round});
  return arrival;
}

int pass_barrier(Thread& t, pthread_barrier_t* b, BarrierArrival arrival) {
  if (!serialized(&t) || barrier_participants(address_of(b)) == 0) {
    OutsideScope outside(&t);
    BlockedScope blocked(&t);
    return real.pthread_barrier_wait(b);
  }
  if (arrival.last) {
    wake(address_of(b), kEverybody);
    return PTHREAD_BARRIER_SERIAL_THREAD;
  }
  while (!barrier_round_is_full(address_of(b), arrival.round))
    wait_for(t, log::Waits::kBarrier, address_of(b), kForEver);
  return 0;
}

// The initializer runs inside the real once: this thread's innermost one.
struct OnceCall {
  const void* once;
  void (*initializer)();
  std::uint64_t place;
  std::uint64_t identity;
  bool ran;
};
constinit thread_local OnceCall* once_call [[gnu::tls_model("initial-exec")]] = nullptr;

void run_initializer() {
  OnceCall* call = once_call;
  Thread* t = current();
  leave_safe_point(*t);
  t->blocked = false;
  --t->in_runtime;
  call->initializer();
  ++t->in_runtime;
  once_ran(*t, address_of(call->once), call->identity);
  sync_event(*t, {Kind::kOnceDone, address_of(call->once), call->place});
  call->ran = true;
  t->blocked = true;
  enter_safe_point(*t);
}

// Called while another thread runs the initializer. If that thread leaves the initializer by an
// exception, it wakes no thread: so look again from time to time.
void wait_for_once(Thread& t, const void* once) {
  constexpr int kUnderWay = 1;  // glibc: bits 0 and 1
  constexpr std::uint64_t kSecond = 1000000000;
  point(t);
  while ((*static_cast<const volatile int*>(once) & 3) == kUnderWay) {
    wait_for(t, log::Waits::kOnce, address_of(once), kSecond);
  }
}

// Its initializer was not needed. Where another one ran instead, it was a try that failed.
void see_once(Thread& t, const OnceCall& call) {
  const std::uint64_t once = address_of(call.once);
  if (another_ran(t, once, call.identity)) gave_up(t, once, call.place);
  sync_event(t, {Kind::kOnceSeen, once, call.place});
}

template <class Real>
int run_once(const void* once, void (*f)(), std::uint64_t place, Real real_once) {
  Thread* t = observed();
  if (t == nullptr) return real_once(f);
  RuntimeScope scope(t);
  if (serialized(t)) wait_for_once(*t, once);
  OnceCall call{once, f, place, initializer_of(f), false};
  OnceCall* outer = once_call;
  once_call = &call;
  int result;
  {
    BlockedScope blocked(t);
    result = real_once(run_initializer);
  }
  once_call = outer;
  wake(address_of(once), kEverybody);
  if (!call.ran) see_once(*t, call);
  return result;
}

}  // namespace
}  // namespace isosan::rt

using namespace isosan::rt;
using isosan::Kind;

ISOSAN_EXPORT int pthread_barrier_init(pthread_barrier_t* b, const pthread_barrierattr_t* attr,
                                       unsigned n) {
  object_changes(b, ISOSAN_CALLER);
  if (observed() != nullptr) barrier_initialized(address_of(b), n);
  return real.pthread_barrier_init(b, attr, n);
}

ISOSAN_EXPORT int pthread_barrier_wait(pthread_barrier_t* b) {
  Thread* t = observed();
  if (t == nullptr) return real.pthread_barrier_wait(b);
  RuntimeScope scope(t);
  const BarrierArrival arrival = arrive_at_barrier(*t, b, ISOSAN_CALLER);
  const int result = pass_barrier(*t, b, arrival);
  sync_event(*t, {Kind::kBarrierDepart, address_of(b), ISOSAN_CALLER, 0, 0, arrival.round});
  return result;
}

ISOSAN_EXPORT int pthread_once(pthread_once_t* once, void (*f)()) {
  return run_once(once, f, ISOSAN_CALLER,
                  [&](void (*run)()) { return real.pthread_once(once, run); });
}
ISOSAN_EXPORT void call_once(once_flag* once, void (*f)()) {
  run_once(once, f, ISOSAN_CALLER, [&](void (*run)()) {
    real.call_once(once, run);
    return 0;
  });
}

ISOSAN_EXPORT int sem_post(sem_t* s) {
  if (Thread* t = observed()) {
    RuntimeScope scope(t);
    sync_event(*t, {Kind::kSemaphorePost, address_of(s), ISOSAN_CALLER});
    wake(address_of(s), kEverybody);
  }
  return real.sem_post(s);
}
ISOSAN_EXPORT int sem_wait(sem_t* s) {
  return wait_semaphore(s, ISOSAN_CALLER, kForEver, [&] { return real.sem_wait(s); });
}
ISOSAN_EXPORT int sem_trywait(sem_t* s) {
  if (observed() == nullptr) return real.sem_trywait(s);
  return wait_semaphore(s, ISOSAN_CALLER, 0, [&] { return -1; });
}
ISOSAN_EXPORT int sem_timedwait(sem_t* s, const timespec* until) {
  return wait_semaphore(s, ISOSAN_CALLER, time_until(CLOCK_REALTIME, until),
                        [&] { return real.sem_timedwait(s, until); });
}
ISOSAN_EXPORT int sem_clockwait(sem_t* s, clockid_t clock, const timespec* until) {
  return wait_semaphore(s, ISOSAN_CALLER, time_until(clock, until),
                        [&] { return real.sem_clockwait(s, clock, until); });
}
