// The locks that a thread holds, innermost last: what guards a contended word (locksets.h).
// Kept only where locksets are asked for.
#pragma once

#include <cstdint>

#include "event/kind.h"

namespace isosan::rt {

class HeldLocks {
 public:
  void add(std::uint64_t lock, LockMode mode, std::uint64_t deeds);
  // Removes one hold of the lock. Returns the `deeds` that it was added with; 0: it is not held.
  std::uint64_t remove(std::uint64_t lock);
  void release();  // the memory

  bool empty() const { return count_ == 0; }
  // Held, and for a write exclusively?
  bool guards(std::uint64_t lock, bool writes) const;
  // The innermost lock that guards; 0: none.
  std::uint64_t innermost(bool writes) const;
  // Equal for equal sets. Different sets have equal keys with a chance of 2^-64.
  std::uint64_t key() const { return key_; }

 private:
  struct Hold {
    std::uint64_t lock;
    LockMode mode;
    std::uint64_t deeds;  // of the thread so far
  };

  Hold* holds_ = nullptr;
  std::uint32_t count_ = 0;
  std::uint32_t capacity_ = 0;
  std::uint64_t key_ = 0;
};

}  // namespace isosan::rt
