// What every interceptor begins with.
#pragma once

#include <cstdint>

#include "runtime/front/intercept/real.h"
#include "runtime/front/process.h"
#include "runtime/ownership/coordinate.h"
#include "runtime/thread/thread.h"

#define ISOSAN_EXPORT extern "C" [[gnu::visibility("default")]]
// Where the intercepted function was called, as an event's place.
#define ISOSAN_CALLER reinterpret_cast<std::uint64_t>(__builtin_return_address(0))

namespace isosan::rt {

// The calling thread if it is observed; before start-up (constructors of other libraries come
// first) the real functions are looked up.
inline Thread* observed() {
  if (!g_observed.load(std::memory_order_relaxed)) [[unlikely]] {
    start_runtime();
    if (!g_observed.load(std::memory_order_relaxed)) return nullptr;
  }
  Thread* t = current();
  if (t == nullptr) return nullptr;
  if (t->blocked) [[unlikely]]
    recover_from_cancellation(*t);  // real calls never call an interceptor
  return t->in_runtime == 0 ? t : nullptr;
}

// The same for functions that run before start-up and inside it, and must not start anything.
inline Thread* observed_if_started() {
  if (!g_observed.load(std::memory_order_relaxed)) return nullptr;
  Thread* t = current();
  return t != nullptr && t->in_runtime == 0 ? t : nullptr;
}

inline std::uint64_t address_of(const volatile void* p) {
  return reinterpret_cast<std::uint64_t>(p);
}

}  // namespace isosan::rt
