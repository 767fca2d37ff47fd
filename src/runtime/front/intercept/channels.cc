#include "runtime/front/intercept/channels.h"

#include <errno.h>
#include <sys/stat.h>

#include "runtime/front/intercept/intercept.h"
#include "runtime/sync/sync.h"

namespace isosan::rt {
namespace {

enum class Sort : std::uint8_t { kPipe, kSocket, kEvent };

// The address of a channel as an object. Only addresses are used. Two channels that have the same
// one order each other, which is too much order, too.
constexpr int kObjectBits = 17;
std::uint64_t objects[1 << kObjectBits];

// The inode of the other end, by the inode of one. An entry that is overwritten loses a pair: less
// order is known then.
constexpr std::uint64_t kPairs = 4096;
struct Pair {
  std::atomic<std::uint64_t> inode{0};
  std::atomic<std::uint64_t> first{0};  // the lower one of the two
};
Pair pairs[kPairs];

void note_end(std::uint64_t inode, std::uint64_t first) {
  Pair& pair = pairs[inode % kPairs];
  pair.first.store(first, std::memory_order_relaxed);
  pair.inode.store(inode, std::memory_order_release);  // order: table
}

std::uint64_t first_of_pair(std::uint64_t inode) {
  const Pair& pair = pairs[inode % kPairs];
  const bool known = pair.inode.load(std::memory_order_acquire) == inode;  // order: table
  return known ? pair.first.load(std::memory_order_relaxed) : inode;
}

std::uint64_t object_of(Sort sort, std::uint64_t number) {
  const std::uint64_t hash = (number * 3 + static_cast<std::uint64_t>(sort)) * 0x9e3779b97f4a7c15u;
  return address_of(&objects[hash >> (64 - kObjectBits)]);
}

// 0: no channel.
std::uint64_t channel_of(int fd) {
  struct stat status;
  if (::fstat(fd, &status) != 0) return 0;
  if (S_ISFIFO(status.st_mode)) return object_of(Sort::kPipe, status.st_ino);
  if (S_ISSOCK(status.st_mode)) return object_of(Sort::kSocket, first_of_pair(status.st_ino));
  const bool is_anonymous = (status.st_mode & S_IFMT) == 0;  // eventfd, timerfd, signalfd
  return is_anonymous ? object_of(Sort::kEvent, static_cast<std::uint64_t>(fd)) : 0;
}

void log_at_channel(Thread& t, Kind kind, int fd, std::uint64_t place) {
  const int error = errno;
  const std::uint64_t channel = channel_of(fd);
  errno = error;
  if (channel != 0) sync_event(t, {kind, channel, place});
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
  log_at_channel(t, Kind::kPublish, fd, place);
}
void after_read_from(Thread& t, int fd, std::uint64_t place) {
  const Kind kind = g_options.every_operation ? Kind::kObserve : Kind::kSemaphoreWait;
  log_at_channel(t, kind, fd, place);
}

}  // namespace isosan::rt

using namespace isosan::rt;

ISOSAN_EXPORT int socketpair(int domain, int type, int protocol, int* ends) {
  Thread* t = observed();
  const int result = real.socketpair(domain, type, protocol, ends);
  if (t != nullptr && result == 0) note_socket_pair(ends[0], ends[1]);
  return result;
}
