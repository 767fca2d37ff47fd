// Threads: created in the parent (so that ids follow the order of creation), ended by the last
// destructor of thread-specific data, joined by pthread_t.
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>

#include "runtime/front/intercept/intercept.h"
#include "runtime/ownership/memory.h"
#include "runtime/platform/os.h"
#include "runtime/platform/pool.h"
#include "runtime/platform/spin_lock.h"
#include "runtime/schedule/schedule.h"
#include "runtime/schedule/timing.h"
#include "runtime/shadow/shadow.h"
#include "runtime/sync/sync.h"

namespace isosan::rt {
namespace {

// What is known of a thread under its pthread_t, from its creation until it is joined, or has ended
// detached.
struct Birth {
  pthread_t id{};
  Birth* next = nullptr;
  Thread* child = nullptr;
  void* (*function)(void*) = nullptr;
  int (*c11_function)(void*) = nullptr;
  void* argument = nullptr;
  bool registered = false;
  bool ended = false;
  bool detached = false;
  bool in_creation = true;  // its creator is not done with it
  bool forgotten = false;
  bool begins_masked = false;  // it takes over `mask` when it is known
  std::uint64_t mask = 0;
  Farewell farewell;
};

SpinLock births_lock;
Birth* births[1024];
pthread_key_t exit_key;

Birth*& chain_of(pthread_t id) { return births[(static_cast<std::uint64_t>(id) >> 8) % 1024]; }

void enroll(Birth& birth, pthread_t id) {  // with the lock
  if (birth.registered) return;
  birth.registered = true;
  birth.id = id;
  birth.next = chain_of(id);
  chain_of(id) = &birth;
}

Birth* find_birth(pthread_t id) {
  for (Birth* at = chain_of(id); at != nullptr; at = at->next) {
    if (at->id == id) return at;
  }
  return nullptr;
}

void remove_birth(Birth& birth) {
  for (Birth** at = &chain_of(birth.id); *at != nullptr; at = &(*at)->next) {
    if (*at != &birth) continue;
    *at = birth.next;
    return;
  }
}

// With the lock. No thread will ask for it any more: its pthread_t may soon belong to another
// thread.
void forget(Birth& birth) {
  remove_birth(birth);
  birth.forgotten = true;
  if (!birth.in_creation) pool_free(&birth, sizeof(Birth));
}

constinit thread_local Birth* own_birth [[gnu::tls_model("initial-exec")]] = nullptr;

// The stack is new memory for the thread that gets it next.
void free_stack(Thread& t) {
  if (t.stack_high == 0) return;
  const std::uint64_t low = lowest_resident(t.stack_low, t.stack_high);
  memory_freed(t, low, t.stack_high - low, MemoryOrigin::kStack, 0);
}

void find_stack(Thread& t) {
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return;
  void* low = nullptr;
  std::size_t size = 0;
  pthread_attr_getstack(&attributes, &low, &size);
  pthread_attr_destroy(&attributes);
  t.stack_low = (address_of(low) + 4095) & ~std::uint64_t{4095};
  t.stack_high = (address_of(low) + size) & ~std::uint64_t{4095};
  if (!map_shadow_of(t.stack_low, t.stack_high - t.stack_low)) die_without_shadow();
  stack_taken(t);
}

void note_end(Birth& birth, const Farewell& farewell) {
  SpinGuard guard(births_lock);
  birth.farewell = farewell;
  birth.ended = true;
  if (birth.detached) {
    pool_free(farewell.clock, farewell.count * sizeof(std::uint64_t));
    forget(birth);
  }
}

void finish_thread(Thread& t) {
  ++t.in_runtime;  // for good: t is gone after end_thread
  end_signals(t);
  append_event(t.block, Kind::kThreadEnd, 0, 0);
  free_stack(t);
  g_log.header->accesses_seen.fetch_add(t.accesses % 4096, std::memory_order_relaxed);
  const Farewell farewell = say_farewell(t);
  Birth* birth = own_birth;
  own_birth = nullptr;
  end_seat(t);
  Seat* seat = t.seat;
  end_thread(t);
  if (birth != nullptr) note_end(*birth, farewell);
  leave_seat(seat, address_of(birth));
}

// Other destructors may still run instrumented code: the last round is ours.
void on_thread_exit(void* rounds) {
  const auto left = reinterpret_cast<std::uint64_t>(rounds);
  if (left > 1) {
    pthread_setspecific(exit_key, reinterpret_cast<void*>(left - 1));
    return;
  }
  log::ThreadBlock* block = __isosan_self;
  if (g_observed.load() && block->runtime != 0)
    finish_thread(*reinterpret_cast<Thread*>(block->runtime));
}

// If a signal handler ran in the new thread before the thread is known, its events would be taken
// for those of another thread, which never ends. So the thread begins with all signals blocked,
// unless its attributes set a mask (then the program has to take care).
class SignalsBlocked {
 public:
  SignalsBlocked(Birth& birth, const Thread* t, const pthread_attr_t* attributes) {
    sigset_t asked;
    birth.begins_masked = attributes == nullptr || pthread_attr_getsigmask_np(attributes, &asked) ==
                                                       PTHREAD_ATTR_NO_SIGMASK_NP;
    mask_ = set_signal_mask(~std::uint64_t{0});
    birth.mask = program_mask(t, mask_);
  }
  ~SignalsBlocked() { set_signal_mask(mask_); }
  SignalsBlocked(const SignalsBlocked&) = delete;
  SignalsBlocked& operator=(const SignalsBlocked&) = delete;

 private:
  std::uint64_t mask_;
};

void* thread_main(void* argument) {
  auto* birth = static_cast<Birth*>(argument);
  own_birth = birth;
  void* (*function)(void*) = birth->function;
  int (*c11_function)(void*) = birth->c11_function;
  void* function_argument = birth->argument;
  Thread& t = *birth->child;
  take_seat(t);
  {
    SpinGuard guard(births_lock);
    enroll(*birth, pthread_self());
  }
  {
    RuntimeScope scope(&t);
    start_thread(t);
    find_stack(t);
    note_thread_exit(t);
    log_thread_start(t, function != nullptr ? reinterpret_cast<std::uint64_t>(function)
                                            : reinterpret_cast<std::uint64_t>(c11_function));
  }
  if (birth->begins_masked) set_signal_mask(birth->mask);
  if (function != nullptr) return function(function_argument);
  return reinterpret_cast<void*>(static_cast<long>(c11_function(function_argument)));
}

bool starts_detached(const pthread_attr_t* attributes) {
  int state = PTHREAD_CREATE_JOINABLE;
  if (attributes != nullptr) pthread_attr_getdetachstate(attributes, &state);
  return state == PTHREAD_CREATE_DETACHED;
}

int create(pthread_t* id, const pthread_attr_t* attributes, void* (*function)(void*),
           int (*c11_function)(void*), void* argument, std::uint64_t place) {
  Thread* t = observed();
  RuntimeScope scope(t);
  Thread* child = t == nullptr ? nullptr : create_thread(t);
  if (child == nullptr) {
    note_unobserved_threads();
    // C11's function returns int in the register in which the other's returns a pointer.
    auto* either = function != nullptr
                       ? function
                       : reinterpret_cast<void* (*)(void*)>(reinterpret_cast<void*>(c11_function));
    return real.pthread_create(id, attributes, either, argument);
  }
  auto* birth = new (pool_allocate(sizeof(Birth))) Birth;
  birth->child = child;
  birth->function = function;
  birth->c11_function = c11_function;
  birth->argument = argument;
  birth->detached = starts_detached(attributes);
  log_fork(*t, *child, place);
  new_seat(*t, *child);
  const int result = [&] {
    const SignalsBlocked blocked(*birth, t, attributes);
    return real.pthread_create(id, attributes, thread_main, birth);
  }();
  if (result != 0) {
    drop_seat(*child);
    abandon_thread(*child);
    pool_free(birth, sizeof(Birth));
    return result;
  }
  SpinGuard guard(births_lock);
  birth->in_creation = false;
  if (birth->forgotten) {
    pool_free(birth, sizeof(Birth));
  } else {
    enroll(*birth, *id);
  }
  return 0;
}

// One thread runs at a time: the real join is for a thread that has ended.
bool wait_for_end(Thread& t, pthread_t id, std::uint64_t nanoseconds) {
  point(t);
  for (;;) {
    Birth* birth;
    std::uint32_t joined;
    {
      SpinGuard guard(births_lock);
      birth = find_birth(id);
      if (birth == nullptr || birth->ended || birth->child == &t) return true;
      joined = birth->child->id;
    }
    if (nanoseconds == 0) return false;
    if (!wait_for(t, log::Waits::kJoin, address_of(birth), nanoseconds, joined)) return false;
  }
}

// After the real join the pthread_t may already belong to another thread, so it is looked up
// before.
template <class Real>
int join(pthread_t id, std::uint64_t place, std::uint64_t nanoseconds, Real real_join) {
  Thread* t = observed();
  if (t == nullptr) return real_join();
  RuntimeScope scope(t);
  if (serialized(t) && !wait_for_end(*t, id, nanoseconds)) {
    return nanoseconds == 0 ? EBUSY : ETIMEDOUT;
  }
  Birth* birth;
  {
    SpinGuard guard(births_lock);
    birth = find_birth(id);
  }
  int result;
  {
    BlockedScope blocked(t);
    result = real_join();
  }
  if (result != 0 || birth == nullptr) return result;  // null: never observed
  if (birth->ended) log_join(*t, birth->farewell, place);
  SpinGuard guard(births_lock);
  forget(*birth);
  return 0;
}

void detach(pthread_t id) {
  if (observed() == nullptr) return;
  SpinGuard guard(births_lock);
  Birth* birth = find_birth(id);
  if (birth == nullptr) return;
  birth->detached = true;
  if (birth->ended) {
    pool_free(birth->farewell.clock, birth->farewell.count * sizeof(std::uint64_t));
    forget(*birth);
  }
}

}  // namespace

void start_threads_support() { pthread_key_create(&exit_key, on_thread_exit); }

void note_thread_exit(Thread&) {
  pthread_setspecific(exit_key, reinterpret_cast<void*>(PTHREAD_DESTRUCTOR_ITERATIONS));
}

}  // namespace isosan::rt

using namespace isosan::rt;

ISOSAN_EXPORT int pthread_create(pthread_t* id, const pthread_attr_t* attributes, void* (*f)(void*),
                                 void* argument) {
  return create(id, attributes, f, nullptr, argument, ISOSAN_CALLER);
}
ISOSAN_EXPORT int pthread_join(pthread_t id, void** result) {
  return join(id, ISOSAN_CALLER, kForEver, [&] { return real.pthread_join(id, result); });
}
ISOSAN_EXPORT int pthread_tryjoin_np(pthread_t id, void** result) {
  return join(id, ISOSAN_CALLER, 0, [&] { return real.pthread_tryjoin_np(id, result); });
}
ISOSAN_EXPORT int pthread_timedjoin_np(pthread_t id, void** result, const timespec* until) {
  return join(id, ISOSAN_CALLER, time_until(CLOCK_REALTIME, until),
              [&] { return real.pthread_timedjoin_np(id, result, until); });
}
ISOSAN_EXPORT int pthread_clockjoin_np(pthread_t id, void** result, clockid_t clock,
                                       const timespec* until) {
  return join(id, ISOSAN_CALLER, time_until(clock, until),
              [&] { return real.pthread_clockjoin_np(id, result, clock, until); });
}
ISOSAN_EXPORT int pthread_detach(pthread_t id) {
  detach(id);
  return real.pthread_detach(id);
}
ISOSAN_EXPORT int thrd_create(thrd_t* id, thrd_start_t f, void* argument) {
  const int result = create(id, nullptr, nullptr, f, argument, ISOSAN_CALLER);
  return result == 0 ? thrd_success : result == ENOMEM ? thrd_nomem : thrd_error;
}
ISOSAN_EXPORT int thrd_join(thrd_t id, int* result) {
  void* value = nullptr;
  const int error =
      join(id, ISOSAN_CALLER, kForEver, [&] { return real.pthread_join(id, &value); });
  if (result != nullptr) *result = static_cast<int>(reinterpret_cast<long>(value));
  return error == 0 ? thrd_success : thrd_error;
}
ISOSAN_EXPORT int thrd_detach(thrd_t id) {
  detach(id);
  return real.thrd_detach(id);
}
