// Calls that may block: the thread is at a safe point meanwhile. Calls that move data also log
// which memory of the program they read or fill.
//
// Where one thread runs at a time (schedule/) a call gives the turn away only if it has to wait.
// Time is virtual there: a sleep lets the others run.
#include "runtime/front/intercept/blocking.h"

#include <errno.h>
#include <sys/uio.h>

#include "runtime/front/intercept/channels.h"
#include "runtime/front/intercept/descriptors.h"
#include "runtime/front/intercept/intercept.h"
#include "runtime/ownership/access.h"
#include "runtime/platform/os.h"
#include "runtime/schedule/schedule.h"
#include "runtime/schedule/timing.h"

namespace isosan::rt {
namespace {

template <class Real>
ssize_t reading_into(int fd, void* buffer, std::uint64_t place, Real call) {
  Thread* t = observed();
  use_descriptor(t, fd, place);
  const ssize_t n = blocking_on(t, fd, POLLIN, call);
  if (t != nullptr && n > 0) {
    RuntimeScope scope(t);
    PointsOff points_off(*t);  // it has happened
    after_read_from(*t, fd, place);
    write_range(*t, address_of(buffer), static_cast<std::uint64_t>(n), place);
  }
  return n;
}

template <class Real>
ssize_t writing_from(int fd, const void* buffer, std::size_t n, std::uint64_t place, Real call) {
  Thread* t = observed();
  use_descriptor(t, fd, place);
  if (t != nullptr) {
    RuntimeScope scope(t);
    read_range(*t, address_of(buffer), n, place);
    before_write_to(*t, fd, place);
  }
  return blocking_on(t, fd, POLLOUT, call);
}

template <class Real>
ssize_t reading_parts(int fd, const iovec* parts, std::size_t count, std::uint64_t place,
                      Real call) {
  Thread* t = observed();
  use_descriptor(t, fd, place);
  const ssize_t n = blocking_on(t, fd, POLLIN, call);
  if (t == nullptr || n <= 0) return n;
  RuntimeScope scope(t);
  PointsOff points_off(*t);
  after_read_from(*t, fd, place);
  auto left = static_cast<std::size_t>(n);
  for (std::size_t i = 0; i < count && left > 0; ++i) {
    const std::size_t size = parts[i].iov_len < left ? parts[i].iov_len : left;
    write_range(*t, address_of(parts[i].iov_base), size, place);
    left -= size;
  }
  return n;
}

template <class Real>
ssize_t writing_parts(int fd, const iovec* parts, std::size_t count, std::uint64_t place,
                      Real call) {
  Thread* t = observed();
  use_descriptor(t, fd, place);
  if (t != nullptr) {
    RuntimeScope scope(t);
    for (std::size_t i = 0; i < count; ++i) {
      read_range(*t, address_of(parts[i].iov_base), parts[i].iov_len, place);
    }
    before_write_to(*t, fd, place);
  }
  return blocking_on(t, fd, POLLOUT, call);
}

std::uint64_t time_of(const timespec* time) { return nanoseconds_of(time->tv_sec, time->tv_nsec); }

bool yields() {
  Thread* t = observed();
  if (!serialized(t)) return false;
  RuntimeScope scope(t);
  give_way(*t);
  return true;
}

}  // namespace
}  // namespace isosan::rt

using namespace isosan::rt;

#define BLOCKING(result, name, parameters, arguments)                 \
  ISOSAN_EXPORT result name parameters {                              \
    return blocking(observed(), [&] { return real.name arguments; }); \
  }
ISOSAN_INTERCEPTED_BLOCKING(BLOCKING)

ISOSAN_EXPORT int nanosleep(const timespec* time, timespec* left) {
  timespec rest = *time;
  return sleeping(time_of(time), [&] {
    const timespec now = rest;
    const int result = real.nanosleep(&now, &rest);
    if (left != nullptr && result != 0) *left = rest;
    return result;
  });
}
ISOSAN_EXPORT int clock_nanosleep(clockid_t clock, int flags, const timespec* time,
                                  timespec* left) {
  const bool absolute = (flags & TIMER_ABSTIME) != 0;
  timespec rest = *time;
  return sleeping(absolute ? time_until(clock, time) : time_of(time), [&] {
    int result;
    do {
      forget_interruptions(current());
      const timespec now = rest;
      result = real.clock_nanosleep(clock, flags, &now, absolute ? nullptr : &rest);
    } while (result == EINTR && only_request_came(current()));
    if (left != nullptr && !absolute && result != 0) *left = rest;
    return result;
  });
}
ISOSAN_EXPORT int usleep(unsigned microseconds) {
  return sleeping(nanoseconds_of(0, std::int64_t{microseconds} * 1000),
                  [&] { return real.usleep(microseconds); });
}
ISOSAN_EXPORT unsigned sleep(unsigned seconds) {
  return sleeping(nanoseconds_of(seconds, 0), [&] {
    do {
      forget_interruptions(current());
      seconds = real.sleep(seconds);
    } while (seconds != 0 && only_request_came(current()));
    return seconds;
  });
}
ISOSAN_EXPORT int thrd_sleep(const timespec* time, timespec* left) {
  return sleeping(time_of(time), [&] { return real.thrd_sleep(time, left); });
}
ISOSAN_EXPORT int sched_yield() noexcept {
  return yields() ? 0 : blocking(observed(), [&] { return real.sched_yield(); });
}
ISOSAN_EXPORT void thrd_yield() noexcept {
  if (!yields()) blocking(observed(), [&] { return real.thrd_yield(); });
}
ISOSAN_EXPORT int select(int n, fd_set* r, fd_set* w, fd_set* e, timeval* timeout) {
  auto call = [&] { return real.select(n, r, w, e, timeout); };
  if (n == 0 && timeout != nullptr) {
    return sleeping(nanoseconds_of(timeout->tv_sec, timeout->tv_usec * 1000L), call);
  }
  return blocking(observed(), call);
}

#define READS_INTO(name, parameters, arguments)                                          \
  ISOSAN_EXPORT ssize_t name parameters {                                                \
    return reading_into(fd, buffer, ISOSAN_CALLER, [&] { return real.name arguments; }); \
  }
READS_INTO(read, (int fd, void* buffer, std::size_t n), (fd, buffer, n))
READS_INTO(pread64, (int fd, void* buffer, std::size_t n, off64_t at), (fd, buffer, n, at))
READS_INTO(pread, (int fd, void* buffer, std::size_t n, off_t at), (fd, buffer, n, at))
READS_INTO(recv, (int fd, void* buffer, std::size_t n, int flags), (fd, buffer, n, flags))
READS_INTO(recvfrom,
           (int fd, void* buffer, std::size_t n, int flags, sockaddr* from, socklen_t* length),
           (fd, buffer, n, flags, from, length))

READS_INTO(__read_chk, (int fd, void* buffer, std::size_t n, std::size_t room),
           (fd, buffer, n, room))
READS_INTO(__pread_chk, (int fd, void* buffer, std::size_t n, off_t at, std::size_t room),
           (fd, buffer, n, at, room))
READS_INTO(__pread64_chk, (int fd, void* buffer, std::size_t n, off64_t at, std::size_t room),
           (fd, buffer, n, at, room))
READS_INTO(__recv_chk, (int fd, void* buffer, std::size_t n, std::size_t room, int flags),
           (fd, buffer, n, room, flags))
READS_INTO(__recvfrom_chk,
           (int fd, void* buffer, std::size_t n, std::size_t room, int flags, sockaddr* from,
            socklen_t* length),
           (fd, buffer, n, room, flags, from, length))

#define WRITES_FROM(name, parameters, arguments)                                            \
  ISOSAN_EXPORT ssize_t name parameters {                                                   \
    return writing_from(fd, buffer, n, ISOSAN_CALLER, [&] { return real.name arguments; }); \
  }
WRITES_FROM(write, (int fd, const void* buffer, std::size_t n), (fd, buffer, n))
WRITES_FROM(pwrite64, (int fd, const void* buffer, std::size_t n, off64_t at), (fd, buffer, n, at))
WRITES_FROM(pwrite, (int fd, const void* buffer, std::size_t n, off_t at), (fd, buffer, n, at))
WRITES_FROM(send, (int fd, const void* buffer, std::size_t n, int flags), (fd, buffer, n, flags))
WRITES_FROM(sendto,
            (int fd, const void* buffer, std::size_t n, int flags, const sockaddr* to,
             socklen_t length),
            (fd, buffer, n, flags, to, length))

#define PARTS(name, wrapper, parameters, arguments)                                   \
  ISOSAN_EXPORT ssize_t name parameters {                                             \
    return wrapper(fd, parts, static_cast<std::size_t>(n < 0 ? 0 : n), ISOSAN_CALLER, \
                   [&] { return real.name arguments; });                              \
  }
PARTS(readv, reading_parts, (int fd, const iovec* parts, int n), (fd, parts, n))
PARTS(preadv, reading_parts, (int fd, const iovec* parts, int n, off_t at), (fd, parts, n, at))
PARTS(preadv64, reading_parts, (int fd, const iovec* parts, int n, off64_t at), (fd, parts, n, at))
PARTS(writev, writing_parts, (int fd, const iovec* parts, int n), (fd, parts, n))
PARTS(pwritev, writing_parts, (int fd, const iovec* parts, int n, off_t at), (fd, parts, n, at))
PARTS(pwritev64, writing_parts, (int fd, const iovec* parts, int n, off64_t at), (fd, parts, n, at))

ISOSAN_EXPORT ssize_t recvmsg(int fd, msghdr* message, int flags) {
  return reading_parts(fd, message->msg_iov, message->msg_iovlen, ISOSAN_CALLER,
                       [&] { return real.recvmsg(fd, message, flags); });
}
ISOSAN_EXPORT ssize_t sendmsg(int fd, const msghdr* message, int flags) {
  return writing_parts(fd, message->msg_iov, message->msg_iovlen, ISOSAN_CALLER,
                       [&] { return real.sendmsg(fd, message, flags); });
}
