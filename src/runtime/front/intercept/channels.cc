#include "runtime/front/intercept/channels.h"

#include <errno.h>
#include <sys/stat.h>

#include "runtime/front/intercept/intercept.h"
#include "runtime/sync/sync.h"

namespace isosan::rt {
namespace {

enum class Sort : std::uint8_t { kPipe, kSocket, kEvent, kListener };

// The address of a channel as an object. Only addresses are used. Two channels that have the same
// one order each other, which is too much order, too.
constexpr int kObjectBits = 17;
std::uint64_t objects[1 << kObjectBits];
std::atomic<std::uint64_t> epolls[1 << kObjectBits];  // the object of the epoll descriptor, or 0

// What both ends have in common, by the inode of one. An entry that is overwritten loses a pair: less
// order is known then.
constexpr std::uint64_t kPairs = 4096;
struct Pair {
  std::atomic<std::uint64_t> inode{0};
  std::atomic<std::uint64_t> number{0};
};
Pair pairs[kPairs];

void note_end(std::uint64_t inode, std::uint64_t number) {
  Pair& pair = pairs[inode % kPairs];
  pair.number.store(number, std::memory_order_relaxed);
  pair.inode.store(inode, std::memory_order_release);  // order: table
}

std::uint64_t number_of_pair(std::uint64_t inode) {
  const Pair& pair = pairs[inode % kPairs];
  const bool known = pair.inode.load(std::memory_order_acquire) == inode;  // order: table
  return known ? pair.number.load(std::memory_order_relaxed) : inode;
}

std::uint64_t object_of(Sort sort, std::uint64_t number) {
  const std::uint64_t hash = (number * 4 + static_cast<std::uint64_t>(sort)) * 0x9e3779b97f4a7c15u;
  return address_of(&objects[hash >> (64 - kObjectBits)]);
}

// 0: no channel.
std::uint64_t channel_of(int fd) {
  struct stat status;
  const int error = errno;
  const bool is_open = ::fstat(fd, &status) == 0;
  errno = error;
  if (!is_open) return 0;
  if (S_ISFIFO(status.st_mode)) return object_of(Sort::kPipe, status.st_ino);
  if (S_ISSOCK(status.st_mode)) return object_of(Sort::kSocket, number_of_pair(status.st_ino));
  const bool is_anonymous = (status.st_mode & S_IFMT) == 0;  // eventfd, timerfd, signalfd
  return is_anonymous ? object_of(Sort::kEvent, static_cast<std::uint64_t>(fd)) : 0;
}

Kind kind_of_read() { return g_options.every_operation ? Kind::kObserve : Kind::kSemaphoreWait; }

std::atomic<std::uint64_t>& epoll_of(std::uint64_t channel) {
  return epolls[(channel - address_of(objects)) / sizeof objects[0]];
}

void note_socket_pair(int one, int other) {
  struct stat a, b;
  if (::fstat(one, &a) != 0 || ::fstat(other, &b) != 0) return;
  const std::uint64_t first = a.st_ino < b.st_ino ? a.st_ino : b.st_ino;
  note_end(a.st_ino, first);
  note_end(b.st_ino, first);
}

}  // namespace

void before_write_to(Thread& t, int fd, std::uint64_t place) {
  const std::uint64_t channel = channel_of(fd);
  if (channel == 0) return;
  sync_event(t, {Kind::kPublish, channel, place});
  const std::uint64_t epoll = epoll_of(channel).load(std::memory_order_relaxed);
  if (epoll != 0) sync_event(t, {Kind::kPublish, epoll, place});
}
void after_read_from(Thread& t, int fd, std::uint64_t place) {
  if (const std::uint64_t channel = channel_of(fd); channel != 0)
    sync_event(t, {kind_of_read(), channel, place});
}

void added_to_epoll(int epoll, int fd) {
  const std::uint64_t channel = channel_of(fd);
  if (channel == 0) return;
  const std::uint64_t object = object_of(Sort::kEvent, static_cast<std::uint64_t>(epoll));
  epoll_of(channel).store(object, std::memory_order_relaxed);
}
void after_epoll(Thread& t, int epoll, std::uint64_t place) { after_read_from(t, epoll, place); }
void after_poll(Thread& t, const pollfd* fds, nfds_t n, std::uint64_t place) {
  for (nfds_t i = 0; i < n; ++i) {
    if ((fds[i].revents & POLLIN) != 0) after_read_from(t, fds[i].fd, place);
  }
}

void note_connection(int fd, std::uint64_t number) {
  struct stat status;
  if (::fstat(fd, &status) == 0) note_end(status.st_ino, number);
}
void before_connect_to(Thread& t, std::uint64_t address, std::uint64_t place) {
  sync_event(t, {Kind::kPublish, object_of(Sort::kListener, address), place});
}
void after_accept_at(Thread& t, std::uint64_t address, std::uint64_t place) {
  sync_event(t, {kind_of_read(), object_of(Sort::kListener, address), place});
}

}  // namespace isosan::rt

using namespace isosan::rt;

ISOSAN_EXPORT int socketpair(int domain, int type, int protocol, int* ends) {
  Thread* t = observed();
  const int result = real.socketpair(domain, type, protocol, ends);
  if (t != nullptr && result == 0) note_socket_pair(ends[0], ends[1]);
  return result;
}
