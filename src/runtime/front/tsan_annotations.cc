// What libraries annotated for ThreadSanitizer call: happens-before edges, their own mutexes,
// fibers, regions to ignore; and the older dynamic annotations. They mean the same here.
#include "runtime/front/intercept/intercept.h"
#include "runtime/schedule/schedule.h"
#include "runtime/sync/sync.h"

using namespace isosan::rt;
using isosan::Kind;
using isosan::LockMode;

namespace isosan::rt {
namespace {

enum MutexFlags : unsigned {  // as in ThreadSanitizer's interface
  kReadLock = 1 << 3,
  kTryLockFailed = 1 << 5,
};

void edge(Kind kind, const volatile void* object, std::uint64_t place) {
  Thread* t = current();
  if (t == nullptr) return;
  RuntimeScope scope(t);
  sync_event(*t, {kind, address_of(object), place});
}

// The atomics inside an annotated mutex are no events.
void ignore_more(int step) {
  Thread* t = current();
  if (t == nullptr) return;
  RuntimeScope scope(t);
  poll(*t);
  if (step < 0 && t->ignore == 0) return;
  if (step > 0 && t->ignore == 0) point(*t);
  t->ignore += static_cast<std::uint32_t>(step);
  refresh_tags(*t);
}

void acquired(const void* lock, bool shared, std::uint64_t place) {
  Thread* t = current();
  if (t == nullptr) return;
  RuntimeScope scope(t);
  lock_acquired(*t, address_of(lock), shared ? LockMode::kShared : LockMode::kExclusive, place);
}

void releasing(const void* lock, std::uint64_t place) {
  Thread* t = current();
  if (t == nullptr) return;
  RuntimeScope scope(t);
  lock_releasing(*t, address_of(lock), place);
}

constexpr unsigned kNoSync = 1;

// The thread of the kernel goes on as another thread of the program.
void switch_to(Thread& from, Thread& to, unsigned flags, std::uint64_t place) {
  if ((flags & kNoSync) == 0) sync_event(from, {Kind::kPublish, address_of(&to), place});
  const std::uint32_t tid = from.slot->tid.exchange(0);
  enter_safe_point(from);
  to.slot->tid.store(tid);
  __isosan_self = to.block;
  leave_safe_point(to);
  if ((flags & kNoSync) == 0) sync_event(to, {Kind::kObserve, address_of(&to), place});
}

}  // namespace
}  // namespace isosan::rt

ISOSAN_EXPORT void __tsan_acquire(void* object) { edge(Kind::kObserve, object, ISOSAN_CALLER); }
ISOSAN_EXPORT void __tsan_release(void* object) { edge(Kind::kPublish, object, ISOSAN_CALLER); }

ISOSAN_EXPORT void __tsan_mutex_create(void*, unsigned) {}
ISOSAN_EXPORT void __tsan_mutex_destroy(void* lock, unsigned) {
  if (current() != nullptr) forget_object(address_of(lock));
}
ISOSAN_EXPORT void __tsan_mutex_pre_lock(void*, unsigned) { ignore_more(1); }
ISOSAN_EXPORT void __tsan_mutex_post_lock(void* lock, unsigned flags, int) {
  ignore_more(-1);
  if ((flags & kTryLockFailed) == 0) {
    acquired(lock, (flags & kReadLock) != 0, ISOSAN_CALLER);
  } else if (Thread* t = current()) {
    lock_tried_in_vain(*t, address_of(lock), ISOSAN_CALLER);
  }
}
ISOSAN_EXPORT int __tsan_mutex_pre_unlock(void* lock, unsigned) {
  releasing(lock, ISOSAN_CALLER);
  ignore_more(1);
  return 0;
}
ISOSAN_EXPORT void __tsan_mutex_post_unlock(void*, unsigned) { ignore_more(-1); }
ISOSAN_EXPORT void __tsan_mutex_pre_signal(void*, unsigned) { ignore_more(1); }
ISOSAN_EXPORT void __tsan_mutex_post_signal(void*, unsigned) { ignore_more(-1); }
ISOSAN_EXPORT void __tsan_mutex_pre_divert(void*, unsigned) { ignore_more(-1); }
ISOSAN_EXPORT void __tsan_mutex_post_divert(void*, unsigned) { ignore_more(1); }

ISOSAN_EXPORT void* __tsan_get_current_fiber() { return current(); }
ISOSAN_EXPORT void* __tsan_create_fiber(unsigned) {
  Thread* t = current();
  if (t == nullptr) return nullptr;
  RuntimeScope scope(t);
  Thread* fiber = create_thread(t);
  if (fiber == nullptr) return nullptr;
  log_fork(*t, *fiber, ISOSAN_CALLER);
  log_thread_start(*fiber, 0);
  return fiber;
}
ISOSAN_EXPORT void __tsan_destroy_fiber(void* fiber) {
  if (fiber == nullptr || current() == nullptr) return;
  auto& t = *static_cast<Thread*>(fiber);
  append_event(t.block, Kind::kThreadEnd, 0, 0);
  abandon_thread(t);
}
ISOSAN_EXPORT void __tsan_switch_to_fiber(void* fiber, unsigned flags) {
  Thread* t = current();
  if (t == nullptr || fiber == nullptr || fiber == t) return;
  RuntimeScope from(t);
  RuntimeScope to(static_cast<Thread*>(fiber));
  switch_to(*t, *static_cast<Thread*>(fiber), flags, ISOSAN_CALLER);
}
ISOSAN_EXPORT void __tsan_set_fiber_name(void*, const char*) {}

ISOSAN_EXPORT void AnnotateHappensBefore(const char*, int, const volatile void* object) {
  edge(Kind::kPublish, object, ISOSAN_CALLER);
}
ISOSAN_EXPORT void AnnotateHappensAfter(const char*, int, const volatile void* object) {
  edge(Kind::kObserve, object, ISOSAN_CALLER);
}
ISOSAN_EXPORT void AnnotateRWLockCreate(const char*, int, const volatile void*) {}
ISOSAN_EXPORT void AnnotateRWLockCreateStatic(const char*, int, const volatile void*) {}
ISOSAN_EXPORT void AnnotateRWLockDestroy(const char*, int, const volatile void* lock) {
  if (current() != nullptr) forget_object(address_of(lock));
}
ISOSAN_EXPORT void AnnotateRWLockAcquired(const char*, int, const void* lock, long exclusive) {
  acquired(lock, exclusive == 0, ISOSAN_CALLER);
}
ISOSAN_EXPORT void AnnotateRWLockReleased(const char*, int, const void* lock, long) {
  releasing(lock, ISOSAN_CALLER);
}
#define IGNORE(name, step) \
  ISOSAN_EXPORT void name(const char*, int) { ignore_more(step); }
IGNORE(AnnotateIgnoreReadsBegin, 1)
IGNORE(AnnotateIgnoreReadsEnd, -1)
IGNORE(AnnotateIgnoreWritesBegin, 1)
IGNORE(AnnotateIgnoreWritesEnd, -1)
ISOSAN_EXPORT void AnnotateBenignRace(const char*, int, const volatile void*, const char*) {}
ISOSAN_EXPORT void AnnotateBenignRaceSized(const char*, int, const volatile void*, unsigned long,
                                           const char*) {}
ISOSAN_EXPORT void AnnotateIgnoreSyncBegin(const char*, int) {}
ISOSAN_EXPORT void AnnotateIgnoreSyncEnd(const char*, int) {}
ISOSAN_EXPORT void AnnotateThreadName(const char*, int, const char*) {}
ISOSAN_EXPORT void AnnotateNewMemory(const char*, int, const volatile void*, unsigned long) {}
ISOSAN_EXPORT void AnnotateFlushState(const char*, int) {}
ISOSAN_EXPORT void AnnotateEnableRaceDetection(const char*, int, int) {}
ISOSAN_EXPORT int RunningOnValgrind() { return 0; }
