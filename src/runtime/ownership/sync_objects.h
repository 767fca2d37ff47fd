// The table of synchronization objects, by address. Private to sync.cc.
//
// An object is found once by each thread and then remembered (Thread::lately_locked). So its
// memory stays that of an object: one that is forgotten is no address's, and used again for
// another one. Who has locked an object looks whether it is still that of its address.
#pragma once

#include "runtime/ownership/kept_clock.h"
#include "runtime/ownership/sync.h"
#include "runtime/platform/spin_lock.h"

namespace isosan::rt {

inline constexpr std::uint64_t kNoAddress = ~std::uint64_t{0};

// With the lock held. What an exclusive lock needs is in two lines of the cache: they come from the
// other processor with each handover.
struct alignas(64) SyncObject {
  SpinLock lock;
  bool w_set = false;
  std::uint16_t depth = 0;        // locks: how often it is held beyond the first time
  std::uint32_t owner = kNobody;  // ... ThreadId of who holds it exclusively
  std::uint64_t address = kNoAddress;
  Contribution w;
  std::uint32_t r_count = 0;  // 0: r_clock is empty
  SyncObject* next = nullptr;
  KeptClock w_clock;
  KeptClock r_clock;
  std::uint32_t r_capacity = 0;
  Contribution* r = nullptr;
  std::uint64_t participants = 0;  // barriers
  std::uint64_t arrivals = 0;
};
static_assert(offsetof(SyncObject, w_clock) == 64 && offsetof(SyncObject, r_clock) == 128);

// The object of an address, locked.
class LockedObject {
 public:
  // By a thread that remembers it; or by anybody.
  LockedObject(Thread& t, std::uint64_t address) : object_(lock_lately(t, address)) {}
  explicit LockedObject(std::uint64_t address) : object_(lock_found(address)) {}
  ~LockedObject() { object_->lock.unlock(); }
  LockedObject(const LockedObject&) = delete;
  LockedObject& operator=(const LockedObject&) = delete;
  SyncObject& operator*() { return *object_; }
  SyncObject* operator->() { return object_; }

  // f() while it is not locked. It may be another object of this address behind it.
  template <class F>
  void give_way(F f) {
    const std::uint64_t address = object_->address;
    object_->lock.unlock();
    f();
    object_ = lock_found(address);
  }

 private:
  static SyncObject* lock_lately(Thread& t, std::uint64_t address);
  static SyncObject* lock_found(std::uint64_t address);

  SyncObject* object_;
};

void forget_one_object(std::uint64_t address);

}  // namespace isosan::rt
