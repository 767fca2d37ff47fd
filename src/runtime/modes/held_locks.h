// The locks that a thread holds, innermost last: what guards a contended word (locksets.h).
// Kept only where locksets are asked for.
#pragma once

#include <cstdint>

#include "event/kind.h"

namespace isosan::rt {

class HeldLocks {
 public:
  void add(std::uint64_t lock, LockMode mode, std::uint64_t deeds);
  // One hold of it: `deeds` as it was added with, 0 if there is none.
  std::uint64_t remove(std::uint64_t lock);
  void release();  // the memory

  bool empty() const { return count_ == 0; }
  // Held, and for a write exclusively?
  bool guards(std::uint64_t lock, bool writes) const;
  // One that does; 0: none.
  std::uint64_t innermost(bool writes) const;
  // Equal for equal sets (and, but for a chance of 2^-64, only for those).
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
