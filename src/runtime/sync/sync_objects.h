// The table of synchronization objects, by address. Private to sync.cc.
//
// Each thread looks an object up once and then remembers it (Thread::lately_locked). So the memory
// of an object always remains that of some object: a forgotten object has no address, and is used
// again for another address. A thread that has locked an object checks whether it still belongs to
// the address.
#pragma once

#include "runtime/platform/spin_lock.h"
#include "runtime/sync/kept_clock.h"
#include "runtime/sync/sync.h"

namespace isosan::rt {

inline constexpr std::uint64_t kNoAddress = ~std::uint64_t{0};

// What the thread of a slot has left in R, in a cache line of its own: a thread that releases a
// shared lock again and again writes nothing else (sync_order.h). The cell stays with the object.
struct alignas(64) ReaderCell {
  SpinLock lock;  // comes after that of the object
  Contribution left;
  std::uint64_t version = 0;  // the object's: else it stands in R no longer
  ReaderCell* next = nullptr;
};

struct alignas(8) Holder {         // of a lock, exclusively
  std::uint32_t thread = kNobody;  // ThreadId
  std::uint32_t depth = 0;         // how often beyond the first time
};

// Needs the object's lock. What an exclusive lock uses is in two cache lines: they move to the
// other processor with each handover. A thread that holds the program's lock of this address reads
// `holder` and `version` also without the object's lock.
struct alignas(64) SyncObject {
  SpinLock lock;
  bool w_set = false;
  std::uint32_t r_count = 0;  // 0: r_clock is empty
  std::atomic<Holder> holder = Holder{};
  std::uint64_t address = kNoAddress;
  Contribution w;
  std::atomic<std::uint64_t> version = 1;  // of W, with which R begins anew; of all addresses
  alignas(64) KeptClock w_clock;
  KeptClock r_clock;  // of those in R; for their own epochs see `left`
  ReaderCell* cells = nullptr;
  SyncObject* next = nullptr;
  // The last operation that uses R and not W (semaphores, conditions, barriers): the next one stands
  // behind it in the log, though it need not come after it.
  Contribution last;
  bool last_set = false;
  bool handed_over = false;        // a lock: another thread than its holder has released it once
  std::uint64_t participants = 0;  // barriers
  std::uint64_t arrivals = 0;
  std::uint64_t initializer = 0;  // once: the one that has run; 0: nobody knows
};
static_assert(offsetof(SyncObject, w_clock) == 64 && offsetof(SyncObject, r_clock) == 128);

inline Holder holder_of(const SyncObject& object) {
  return object.holder.load(std::memory_order_relaxed);
}
inline void set_holder(SyncObject& object, Holder holder) {
  object.holder.store(holder, std::memory_order_relaxed);
}
inline std::uint64_t version_of(const SyncObject& object) {
  return object.version.load(std::memory_order_relaxed);
}
inline void begin_next_version(SyncObject& object) {
  object.version.store(version_of(object) + 1, std::memory_order_relaxed);
}

LatelyLocked& lately_locked(Thread& t, std::uint64_t address);  // perhaps another one's

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

 private:
  static SyncObject* lock_lately(Thread& t, std::uint64_t address);
  static SyncObject* lock_found(std::uint64_t address);

  SyncObject* object_;
};

void forget_one_object(std::uint64_t address);

}  // namespace isosan::rt
