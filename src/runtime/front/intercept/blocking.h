// A system call that may block, made for the program: the thread is at a safe point meanwhile.
#pragma once

#include <errno.h>

#include <type_traits>

#include "runtime/front/intercept/intercept.h"
#include "runtime/platform/os.h"
#include "runtime/schedule/schedule.h"

namespace isosan::rt {

// A request signal of the runtime may end a system call early. The program must see only
// interruptions by signals that it has a handler for.
inline void forget_interruptions(Thread* t) {
  if (t != nullptr) t->request_came = t->handler_ran = false;
}
inline bool only_request_came(const Thread* t) {
  return t != nullptr && t->request_came && !t->handler_ran;
}

template <class Real>
auto uninterrupted(Thread* t, Real call) {
  forget_interruptions(t);
  if constexpr (std::is_void_v<decltype(call())>) {
    call();
  } else {
    auto result = call();
    while (static_cast<long>(result) == -1 && errno == EINTR && only_request_came(t)) {
      forget_interruptions(t);
      result = call();
    }
    return result;
  }
}

template <class Real>
auto blocking(Thread* t, Real call) {
  RuntimeScope scope(t);
  if (serialized(t)) point(*t);
  OutsideScope outside(t);
  BlockedScope blocked(t);
  return uninterrupted(t, call);
}

// A call on a descriptor waits only if that is not ready.
template <class Real>
auto blocking_on(Thread* t, int fd, short events, Real call) {
  RuntimeScope scope(t);
  if (serialized(t)) point(*t);
  OutsideScope outside(serialized(t) && descriptor_is_ready(fd, events) ? nullptr : t);
  BlockedScope blocked(t);
  return uninterrupted(t, call);
}

// Lets virtual time pass where there is some, real time else.
template <class Real>
auto sleeping(std::uint64_t nanoseconds, Real call) {
  Thread* t = observed();
  if (!serialized(t)) return blocking(t, call);
  RuntimeScope scope(t);
  point(*t);
  wait_for(*t, log::Waits::kSleep, 0, nanoseconds);
  return decltype(call()){0};
}

}  // namespace isosan::rt
