// What the two halves of OpenMP share: openmp.cc (teams and barriers) and openmp_locks.cc (critical
// sections, locks, reductions).
#pragma once

#include "runtime/front/intercept/intercept.h"
#include "runtime/sync/sync.h"

namespace isosan::rt {

inline void log_sync(Kind kind, const void* object, std::uint64_t place, std::uint64_t value = 0) {
  if (Thread* t = observed()) {
    RuntimeScope scope(t);
    sync_event(*t, {kind, address_of(object), place, 0, 0, value});
  }
}

// While a thread is in the library, it is at a safe point and nothing that it executes is logged.
inline void park(Thread& t) {
  poll(t);
  enter_safe_point(t);
  __isosan_self = &g_ignored_block;
}
inline void unpark(Thread& t) {
  __isosan_self = t.block;
  leave_safe_point(t);
}

class InLibrary {
 public:
  explicit InLibrary(Thread* t) : t_(t) {
    if (t_ != nullptr) park(*t_);
  }
  ~InLibrary() {
    if (t_ != nullptr) unpark(*t_);
  }
  InLibrary(const InLibrary&) = delete;
  InLibrary& operator=(const InLibrary&) = delete;

 private:
  Thread* t_;
};

}  // namespace isosan::rt
