#include "runtime/front/intercept/signal_order.h"

#include <signal.h>

#include "runtime/front/intercept/blocking.h"
#include "runtime/sync/sync.h"

namespace isosan::rt {
namespace {

std::uint64_t signals[_NSIG];  // only the addresses are used

void log_at(Thread& t, Kind kind, int signal, std::uint64_t place) {
  if (signal <= 0 || signal >= _NSIG) return;
  RuntimeScope scope(&t);
  sync_event(t, {kind, address_of(&signals[signal]), place});
}

// `signal` is where the call says which one came; null: it returns it.
template <class Real>
int wait_for_signal(const int* signal, std::uint64_t place, Real wait) {
  Thread* t = observed();
  const int result = blocking(t, wait);
  if (t == nullptr || (signal != nullptr && result != 0)) return result;
  const int error = errno;
  after_signal(*t, signal != nullptr ? *signal : result, place);
  errno = error;
  return result;
}

}  // namespace

void before_signal(int signal, std::uint64_t place) {
  if (Thread* t = observed()) log_at(*t, Kind::kPublish, signal, place);
}
void after_signal(Thread& t, int signal, std::uint64_t place) {
  log_at(t, Kind::kObserve, signal, place);
}

}  // namespace isosan::rt

using namespace isosan::rt;

#define SENDS(name, parameters, arguments)              \
  ISOSAN_EXPORT int name parameters noexcept {          \
    before_signal(signal, ISOSAN_CALLER);               \
    if (real.name == nullptr) resolve_real_functions(); \
    return real.name arguments;                         \
  }
SENDS(kill, (pid_t process, int signal), (process, signal))
SENDS(sigqueue, (pid_t process, int signal, const sigval value), (process, signal, value))
SENDS(pthread_kill, (pthread_t thread, int signal), (thread, signal))
SENDS(pthread_sigqueue, (pthread_t thread, int signal, const sigval value), (thread, signal, value))

ISOSAN_EXPORT int sigwait(const sigset_t* set, int* signal) {
  return wait_for_signal(signal, ISOSAN_CALLER, [&] { return real.sigwait(set, signal); });
}
ISOSAN_EXPORT int sigwaitinfo(const sigset_t* set, siginfo_t* info) {
  return wait_for_signal(nullptr, ISOSAN_CALLER, [&] { return real.sigwaitinfo(set, info); });
}
ISOSAN_EXPORT int sigtimedwait(const sigset_t* set, siginfo_t* info, const timespec* timeout) {
  return wait_for_signal(nullptr, ISOSAN_CALLER,
                         [&] { return real.sigtimedwait(set, info, timeout); });
}
