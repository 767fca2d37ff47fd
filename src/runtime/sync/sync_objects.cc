#include "runtime/sync/sync_objects.h"

namespace isosan::rt {
namespace {

struct Bucket {
  SpinLock lock;  // comes before those of objects
  SyncObject* first = nullptr;
};
constexpr int kBucketBits = 14;
Bucket buckets[1 << kBucketBits];

SpinLock forgotten_lock;
SyncObject* forgotten;

std::uint64_t mixed(std::uint64_t address) { return (address >> 3) * 0x9e3779b97f4a7c15u; }
Bucket& bucket_of(std::uint64_t address) { return buckets[mixed(address) >> (64 - kBucketBits)]; }

SyncObject* new_object() {
  SpinGuard guard(forgotten_lock);
  if (forgotten == nullptr) return new (pool_allocate(sizeof(SyncObject))) SyncObject;
  SyncObject* object = forgotten;
  forgotten = object->next;
  return object;
}

SyncObject* find(std::uint64_t address) {
  Bucket& bucket = bucket_of(address);
  SpinGuard guard(bucket.lock);
  for (SyncObject* at = bucket.first; at != nullptr; at = at->next) {
    if (at->address == address) return at;
  }
  SyncObject* object = new_object();
  SpinGuard object_guard(object->lock);
  object->address = address;
  object->next = bucket.first;
  bucket.first = object;
  return object;
}

// False: it is no longer that of this address.
bool lock_object(SyncObject& object, std::uint64_t address) {
  object.lock.lock();
  if (object.address == address) [[likely]]
    return true;
  object.lock.unlock();
  return false;
}

void clear(SyncObject& object) {
  object.address = kNoAddress;
  object.w_set = object.last_set = object.handed_over = false;
  set_holder(object, {});
  object.w = {};
  begin_next_version(object);
  object.w_clock.release();
  object.r_clock.release();
  object.r_count = 0;
  object.participants = object.arrivals = object.initializer = 0;
}

}  // namespace

SyncObject* LockedObject::lock_found(std::uint64_t address) {
  SyncObject* object;
  do {
    object = find(address);
  } while (!lock_object(*object, address));
  return object;
}

LatelyLocked& lately_locked(Thread& t, std::uint64_t address) {
  return t.lately_locked[mixed(address) >> (64 - kLatelyLockedBits)];
}

SyncObject* LockedObject::lock_lately(Thread& t, std::uint64_t address) {
  LatelyLocked& lately = lately_locked(t, address);
  if (lately.object == nullptr || lately.address != address ||
      !lock_object(*lately.object, address)) {
    lately = {.address = address, .object = lock_found(address)};
  }
  return lately.object;
}

void forget_one_object(std::uint64_t address) {
  Bucket& bucket = bucket_of(address);
  SpinGuard guard(bucket.lock);
  for (SyncObject** at = &bucket.first; *at != nullptr; at = &(*at)->next) {
    SyncObject* object = *at;
    if (object->address != address) continue;
    *at = object->next;
    SpinGuard object_guard(object->lock);
    clear(*object);
    SpinGuard forgotten_guard(forgotten_lock);
    object->next = forgotten;
    forgotten = object;
    return;
  }
}

}  // namespace isosan::rt
