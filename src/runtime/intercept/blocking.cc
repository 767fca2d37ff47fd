// Calls that may block: the thread is at a safe point meanwhile. Those that move data also tell of
// the program's memory that they read or fill.
#include <sys/uio.h>

#include "runtime/intercept/intercept.h"
#include "runtime/ownership/transfer.h"

namespace isosan::rt {
namespace {

template <class Real>
auto blocking(Thread* t, Real call) {
  RuntimeScope scope(t);
  BlockedScope blocked(t);
  return call();
}

template <class Real>
ssize_t reading_into(void* buffer, std::uint64_t place, Real call) {
  Thread* t = observed();
  const ssize_t n = blocking(t, call);
  if (t != nullptr && n > 0) {
    RuntimeScope scope(t);
    write_range(*t, address_of(buffer), static_cast<std::uint64_t>(n), place);
  }
  return n;
}

template <class Real>
ssize_t writing_from(const void* buffer, std::size_t n, std::uint64_t place, Real call) {
  Thread* t = observed();
  if (t != nullptr) {
    RuntimeScope scope(t);
    read_range(*t, address_of(buffer), n, place);
  }
  return blocking(t, call);
}

template <class Real>
ssize_t reading_parts(const iovec* parts, std::size_t count, std::uint64_t place, Real call) {
  Thread* t = observed();
  const ssize_t n = blocking(t, call);
  if (t == nullptr || n <= 0) return n;
  RuntimeScope scope(t);
  auto left = static_cast<std::size_t>(n);
  for (std::size_t i = 0; i < count && left > 0; ++i) {
    const std::size_t size = parts[i].iov_len < left ? parts[i].iov_len : left;
    write_range(*t, address_of(parts[i].iov_base), size, place);
    left -= size;
  }
  return n;
}

template <class Real>
ssize_t writing_parts(const iovec* parts, std::size_t count, std::uint64_t place, Real call) {
  Thread* t = observed();
  if (t != nullptr) {
    RuntimeScope scope(t);
    for (std::size_t i = 0; i < count; ++i) {
      read_range(*t, address_of(parts[i].iov_base), parts[i].iov_len, place);
    }
  }
  return blocking(t, call);
}

}  // namespace
}  // namespace isosan::rt

using namespace isosan::rt;

#define BLOCKING(result, name, parameters, arguments)                 \
  ISOSAN_EXPORT result name parameters {                              \
    return blocking(observed(), [&] { return real.name arguments; }); \
  }
ISOSAN_INTERCEPTED_BLOCKING(BLOCKING)

#define READS_INTO(name, parameters, arguments)                                      \
  ISOSAN_EXPORT ssize_t name parameters {                                            \
    return reading_into(buffer, ISOSAN_CALLER, [&] { return real.name arguments; }); \
  }
READS_INTO(read, (int fd, void* buffer, std::size_t n), (fd, buffer, n))
READS_INTO(pread64, (int fd, void* buffer, std::size_t n, off64_t at), (fd, buffer, n, at))
READS_INTO(pread, (int fd, void* buffer, std::size_t n, off_t at), (fd, buffer, n, at))
READS_INTO(recv, (int fd, void* buffer, std::size_t n, int flags), (fd, buffer, n, flags))
READS_INTO(recvfrom,
           (int fd, void* buffer, std::size_t n, int flags, sockaddr* from, socklen_t* length),
           (fd, buffer, n, flags, from, length))

#define WRITES_FROM(name, parameters, arguments)                                        \
  ISOSAN_EXPORT ssize_t name parameters {                                               \
    return writing_from(buffer, n, ISOSAN_CALLER, [&] { return real.name arguments; }); \
  }
WRITES_FROM(write, (int fd, const void* buffer, std::size_t n), (fd, buffer, n))
WRITES_FROM(pwrite64, (int fd, const void* buffer, std::size_t n, off64_t at), (fd, buffer, n, at))
WRITES_FROM(pwrite, (int fd, const void* buffer, std::size_t n, off_t at), (fd, buffer, n, at))
WRITES_FROM(send, (int fd, const void* buffer, std::size_t n, int flags), (fd, buffer, n, flags))
WRITES_FROM(sendto,
            (int fd, const void* buffer, std::size_t n, int flags, const sockaddr* to,
             socklen_t length),
            (fd, buffer, n, flags, to, length))

ISOSAN_EXPORT ssize_t readv(int fd, const iovec* parts, int n) {
  return reading_parts(parts, static_cast<std::size_t>(n < 0 ? 0 : n), ISOSAN_CALLER,
                       [&] { return real.readv(fd, parts, n); });
}
ISOSAN_EXPORT ssize_t writev(int fd, const iovec* parts, int n) {
  return writing_parts(parts, static_cast<std::size_t>(n < 0 ? 0 : n), ISOSAN_CALLER,
                       [&] { return real.writev(fd, parts, n); });
}
ISOSAN_EXPORT ssize_t recvmsg(int fd, msghdr* message, int flags) {
  return reading_parts(message->msg_iov, message->msg_iovlen, ISOSAN_CALLER,
                       [&] { return real.recvmsg(fd, message, flags); });
}
ISOSAN_EXPORT ssize_t sendmsg(int fd, const msghdr* message, int flags) {
  return writing_parts(message->msg_iov, message->msg_iovlen, ISOSAN_CALLER,
                       [&] { return real.sendmsg(fd, message, flags); });
}
