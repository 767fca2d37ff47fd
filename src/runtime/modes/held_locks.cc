#include "runtime/modes/held_locks.h"

#include "runtime/platform/pool.h"

namespace isosan::rt {
namespace {

std::uint64_t mixed(std::uint64_t lock, LockMode mode) {
  std::uint64_t x = lock * 2 + (mode == LockMode::kShared);
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
  x = (x ^ x >> 27) * 0x94d049bb133111ebu;
  return x ^ x >> 31;
}

}  // namespace

void HeldLocks::add(std::uint64_t lock, LockMode mode, std::uint64_t deeds) {
  if (count_ == capacity_) {
    const std::uint32_t grown = capacity_ == 0 ? 8 : capacity_ * 2;
    auto* bigger = static_cast<Hold*>(pool_allocate(grown * sizeof(Hold)));
    for (std::uint32_t i = 0; i < count_; ++i) bigger[i] = holds_[i];
    pool_free(holds_, capacity_ * sizeof(Hold));
    holds_ = bigger;
    capacity_ = grown;
  }
  holds_[count_++] = {lock, mode, deeds};
  key_ += mixed(lock, mode);
}

std::uint64_t HeldLocks::remove(std::uint64_t lock) {
  for (std::uint32_t i = count_; i-- > 0;) {
    if (holds_[i].lock != lock) continue;
    const std::uint64_t deeds = holds_[i].deeds;
    key_ -= mixed(lock, holds_[i].mode);
    for (--count_; i < count_; ++i) holds_[i] = holds_[i + 1];
    return deeds;
  }
  return 0;
}

void HeldLocks::release() {
  pool_free(holds_, capacity_ * sizeof(Hold));
  *this = {};
}

bool HeldLocks::guards(std::uint64_t lock, bool writes) const {
  for (std::uint32_t i = count_; i-- > 0;) {
    if (holds_[i].lock == lock && (!writes || holds_[i].mode == LockMode::kExclusive)) return true;
  }
  return false;
}

std::uint64_t HeldLocks::innermost(bool writes) const {
  for (std::uint32_t i = count_; i-- > 0;) {
    if (!writes || holds_[i].mode == LockMode::kExclusive) return holds_[i].lock;
  }
  return 0;
}

}  // namespace isosan::rt
