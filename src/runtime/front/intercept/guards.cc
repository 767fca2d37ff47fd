// Function-local statics: __cxa_guard_*, implemented here, so that it does not matter whether
// libstdc++ is linked statically. The guard is the Itanium ABI's: its first byte is 1 when the
// variable is initialized (compilers test it inline); its second half is ours.
#include "runtime/front/intercept/intercept.h"
#include "runtime/platform/os.h"
#include "runtime/schedule/schedule.h"
#include "runtime/sync/atomic.h"
#include "runtime/sync/sync.h"

namespace isosan::rt {
namespace {

enum State : std::uint32_t { kIdle = 0, kRunning = 1, kRunningWithWaiters = 2 };

struct Guard {
  std::atomic<std::uint8_t> done;
  std::uint8_t unused[3];
  std::atomic<std::uint32_t> state;
};
static_assert(sizeof(Guard) == 8);

Guard& guard_at(long long* guard) { return *reinterpret_cast<Guard*>(guard); }

void log_guard(Thread* t, Kind kind, const Guard& guard, std::uint64_t place) {
  if (t == nullptr) return;
  RuntimeScope scope(t);
  sync_event(*t, {kind, address_of(&guard), place});
}

// The store is also an event: a thread that finds the byte set inline never calls the runtime, and
// comes after this store by its load.
void set_done(Thread* t, Guard& guard, std::uint64_t place) {
  if (t == nullptr) {
    guard.done.store(1, std::memory_order_release);  // order: guard
    return;
  }
  RuntimeScope scope(t);
  HeldWords held;
  hold_words(*t, held, address_of(&guard.done), 1, true);
  guard.done.store(1, std::memory_order_release);  // order: guard
  finish_atomic(*t, held, Kind::kAtomicStore, static_cast<std::uint8_t>(MemoryOrder::kRelease),
                place);
}

void let_others_go(Guard& guard) {
  if (guard.state.exchange(kIdle, std::memory_order_acq_rel) ==
      kRunningWithWaiters) {  // order: guard
    futex_wake(guard.state);
  }
  wake(address_of(&guard), kEverybody);
}

}  // namespace
}  // namespace isosan::rt

using namespace isosan::rt;
using isosan::Kind;

// 1: the caller initializes; 0: it is initialized.
ISOSAN_EXPORT int __cxa_guard_acquire(long long* address) {
  Guard& guard = guard_at(address);
  Thread* t = observed();
  if (t != nullptr) {
    RuntimeScope scope(t);
    point(*t);
  }
  for (;;) {
    if (guard.done.load(std::memory_order_acquire) == 1) {  // order: guard
      log_guard(t, Kind::kOnceSeen, guard, ISOSAN_CALLER);
      return 0;
    }
    std::uint32_t state = kIdle;
    if (guard.state.compare_exchange_strong(state, kRunning,
                                            std::memory_order_acq_rel)) {  // order: guard
      if (guard.done.load(std::memory_order_acquire) == 0) return 1;       // order: guard
      let_others_go(guard);
      continue;
    }
    if (state == kRunning) {
      guard.state.compare_exchange_strong(state, kRunningWithWaiters);
    }
    RuntimeScope scope(t);
    if (serialized(t)) {
      wait_for(*t, isosan::log::Waits::kOnce, address_of(&guard), kForEver);
      continue;
    }
    BlockedScope blocked(t);
    futex_wait(guard.state, kRunningWithWaiters, 1000);
  }
}

ISOSAN_EXPORT void __cxa_guard_release(long long* address) {
  Guard& guard = guard_at(address);
  Thread* t = observed();
  log_guard(t, Kind::kOnceDone, guard, ISOSAN_CALLER);
  set_done(t, guard, ISOSAN_CALLER);
  let_others_go(guard);
}

ISOSAN_EXPORT void __cxa_guard_abort(long long* address) { let_others_go(guard_at(address)); }
