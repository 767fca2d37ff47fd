// poll and epoll: a thread that finds out that there is something to read comes after the write of it
// (channels.h).
#include <sys/epoll.h>

#include "runtime/front/intercept/blocking.h"
#include "runtime/front/intercept/channels.h"
#include "runtime/schedule/timing.h"

namespace isosan::rt {
namespace {

int polled(Thread* t, const pollfd* fds, nfds_t n, std::uint64_t place, int ready) {
  if (t == nullptr || ready <= 0) return ready;
  RuntimeScope scope(t);
  PointsOff points_off(*t);
  after_poll(*t, fds, n, place);
  return ready;
}

template <class Real>
int wait_at_epoll(int fd, std::uint64_t place, Real call) {
  Thread* t = observed();
  const int ready = blocking(t, call);
  if (t == nullptr || ready <= 0) return ready;
  RuntimeScope scope(t);
  PointsOff points_off(*t);
  after_epoll(*t, fd, place);
  return ready;
}

}  // namespace
}  // namespace isosan::rt

using namespace isosan::rt;

ISOSAN_EXPORT int poll(pollfd* fds, nfds_t n, int timeout) {
  auto call = [&] { return real.poll(fds, n, timeout); };
  if (n == 0 && timeout > 0) return sleeping(nanoseconds_of(0, timeout * 1000000L), call);
  Thread* t = observed();
  return polled(t, fds, n, ISOSAN_CALLER, blocking(t, call));
}
ISOSAN_EXPORT int ppoll(pollfd* fds, nfds_t n, const timespec* timeout, const sigset_t* mask) {
  Thread* t = observed();
  const int ready = blocking(t, [&] { return real.ppoll(fds, n, timeout, mask); });
  return polled(t, fds, n, ISOSAN_CALLER, ready);
}

ISOSAN_EXPORT int epoll_ctl(int fd, int operation, int polled_fd, epoll_event* event) noexcept {
  if (observed() != nullptr && operation == EPOLL_CTL_ADD) added_to_epoll(fd, polled_fd);
  return real.epoll_ctl(fd, operation, polled_fd, event);
}
ISOSAN_EXPORT int epoll_wait(int fd, epoll_event* events, int n, int timeout) {
  return wait_at_epoll(fd, ISOSAN_CALLER, [&] { return real.epoll_wait(fd, events, n, timeout); });
}
ISOSAN_EXPORT int epoll_pwait(int fd, epoll_event* events, int n, int timeout,
                              const sigset_t* mask) {
  return wait_at_epoll(fd, ISOSAN_CALLER,
                       [&] { return real.epoll_pwait(fd, events, n, timeout, mask); });
}
ISOSAN_EXPORT int epoll_pwait2(int fd, epoll_event* events, int n, const timespec* timeout,
                               const sigset_t* mask) {
  return wait_at_epoll(fd, ISOSAN_CALLER,
                       [&] { return real.epoll_pwait2(fd, events, n, timeout, mask); });
}
