// connect and accept. What is done before connect comes before what is done after the accept of it,
// and the two sockets are the ends of one channel (channels.h).
//
// A connection of IPv4 or IPv6 is known by the addresses of both ends. The client of a UNIX socket
// has no address as a rule: all connections to one address are one channel then.
#include <errno.h>
#include <netinet/in.h>
#include <sys/un.h>

#include "runtime/front/intercept/blocking.h"
#include "runtime/front/intercept/channels.h"
#include "runtime/front/intercept/descriptors.h"

namespace isosan::rt {
namespace {

std::uint64_t hash(const void* at, std::size_t n, std::uint64_t seed) {  // FNV-1a
  const auto* bytes = static_cast<const unsigned char*>(at);
  std::uint64_t hash = seed ^ 0xcbf29ce484222325u;
  for (std::size_t i = 0; i < n; ++i) hash = (hash ^ bytes[i]) * 0x100000001b3u;
  return hash;
}

struct Address {
  sockaddr_storage storage{};
  socklen_t length = 0;
};
using Question = int (*)(int, sockaddr*, socklen_t*);
Address asked(Question question, int fd) {
  Address a;
  a.length = sizeof a.storage;
  if (question(fd, reinterpret_cast<sockaddr*>(&a.storage), &a.length) != 0) a.length = 0;
  return a;
}
Address copied(const sockaddr* address, socklen_t length) {
  Address a;
  if (address == nullptr || length > sizeof a.storage) return a;
  a.length = length;
  auto* to = reinterpret_cast<unsigned char*>(&a.storage);
  for (socklen_t i = 0; i < length; ++i) to[i] = reinterpret_cast<const unsigned char*>(address)[i];
  return a;
}

bool is_unix(const Address& a) { return a.storage.ss_family == AF_UNIX; }

// Only what distinguishes addresses. 0: no address.
std::uint64_t number_of(const Address& a) {
  if (a.length < sizeof(sa_family_t)) return 0;
  if (a.storage.ss_family == AF_INET) {
    const auto& v4 = reinterpret_cast<const sockaddr_in&>(a.storage);
    return hash(&v4.sin_addr, sizeof v4.sin_addr, v4.sin_port);
  }
  if (a.storage.ss_family == AF_INET6) {
    const auto& v6 = reinterpret_cast<const sockaddr_in6&>(a.storage);
    const unsigned char* bytes = v6.sin6_addr.s6_addr;
    const bool is_v4 = IN6_IS_ADDR_V4MAPPED(&v6.sin6_addr);
    return is_v4 ? hash(bytes + 12, 4, v6.sin6_port) : hash(bytes, 16, v6.sin6_port);
  }
  if (!is_unix(a)) return 0;
  const auto& local = reinterpret_cast<const sockaddr_un&>(a.storage);
  std::size_t n = a.length - sizeof(sa_family_t);
  if (n == 0) return 0;
  if (local.sun_path[0] != 0) {  // a path ends at the first zero
    std::size_t end = 0;
    while (end < n && local.sun_path[end] != 0) ++end;
    n = end;
  }
  return hash(local.sun_path, n, 0);
}

void note_ends(int fd, const Address& listener, const Address& client) {
  const std::uint64_t number = number_of(listener);
  if (number != 0) note_connection(fd, is_unix(listener) ? number : number + number_of(client));
}

// A connection that is only under way has its own address already.
void connected(int fd, const sockaddr* address, socklen_t length) {
  Address peer = asked(::getpeername, fd);
  if (peer.length == 0) peer = copied(address, length);
  note_ends(fd, peer, asked(::getsockname, fd));
}

int accepted(Thread* t, int fd, std::uint64_t place) {
  if (t == nullptr || fd < 0) return fd;
  RuntimeScope scope(t);
  const int error = errno;
  const Address here = asked(::getsockname, fd);
  note_ends(fd, here, asked(::getpeername, fd));
  after_accept_at(*t, number_of(here), place);
  errno = error;
  return fd;
}

}  // namespace
}  // namespace isosan::rt

using namespace isosan::rt;

ISOSAN_EXPORT int connect(int fd, const sockaddr* address, socklen_t length) {
  Thread* t = observed();
  use_descriptor(t, fd, ISOSAN_CALLER);
  if (t != nullptr) {
    RuntimeScope scope(t);
    before_connect_to(*t, number_of(copied(address, length)), ISOSAN_CALLER);
  }
  const int result = blocking(t, [&] { return real.connect(fd, address, length); });
  const int error = errno;
  if (t != nullptr && (result == 0 || error == EINPROGRESS)) connected(fd, address, length);
  errno = error;
  return result;
}
ISOSAN_EXPORT int accept(int fd, sockaddr* address, socklen_t* length) {
  Thread* t = observed();
  use_descriptor(t, fd, ISOSAN_CALLER);
  return accepted(t, blocking(t, [&] { return real.accept(fd, address, length); }), ISOSAN_CALLER);
}
ISOSAN_EXPORT int accept4(int fd, sockaddr* address, socklen_t* length, int flags) {
  Thread* t = observed();
  use_descriptor(t, fd, ISOSAN_CALLER);
  return accepted(t, blocking(t, [&] { return real.accept4(fd, address, length, flags); }),
                  ISOSAN_CALLER);
}
