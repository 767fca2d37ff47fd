// The clock and the system's random numbers. A scheduled run may have them fixed
// (ScheduleArea::fixed); everybody else gets what the system says. In a scheduled run a sleep takes
// no time, so a clock that is not fixed is ahead of the system's by all sleeps and timed waits.
//
// Not fixed: rdtsc, rdrand and the like in the program's own code, and what is read from files,
// sockets and other processes.
#include "runtime/schedule/world.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>

#include "runtime/front/intercept/intercept.h"
#include "runtime/platform/os.h"
#include "runtime/schedule/timing.h"

namespace isosan::rt {
namespace {

using log::kClock;
using log::kRandom;

constexpr std::uint64_t kSecond = 1000000000;
constexpr std::uint64_t kFixedDate = 1600000000 * kSecond;  // 2020-09-13
constexpr std::uint64_t kFixedUptime = 1000 * kSecond;
constexpr std::size_t kRandomFile = 1u << 16;  // bytes of a fixed /dev/urandom

// Constructors of other libraries come first.
void be_resolved() {
  if (real.clock_gettime == nullptr) [[unlikely]]
    start_runtime();
}

// Asked by the program itself, not by a call of ours?
bool is_fixed(log::World what) {
  be_resolved();
  return serialized(observed_if_started()) && asks_world(what);
}

// Clocks of what the processor has done do not go on in a sleep.
bool goes_on_in_sleep(clockid_t clock) {
  return clock >= 0 && clock != CLOCK_PROCESS_CPUTIME_ID && clock != CLOCK_THREAD_CPUTIME_ID;
}

timespec as_timespec(clockid_t clock, std::uint64_t nanoseconds) {
  const bool date = clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE;
  nanoseconds += date ? kFixedDate : kFixedUptime;
  if (!goes_on_in_sleep(clock)) nanoseconds -= virtual_time();
  return {static_cast<time_t>(nanoseconds / kSecond), static_cast<long>(nanoseconds % kSecond)};
}

// What the system says and the program has slept since then.
timespec later_by_sleeps(timespec system, clockid_t clock) {
  if (!serialized(current()) || !goes_on_in_sleep(clock)) return system;
  const std::uint64_t nanoseconds = static_cast<std::uint64_t>(system.tv_nsec) + virtual_time();
  return {system.tv_sec + static_cast<time_t>(nanoseconds / kSecond),
          static_cast<long>(nanoseconds % kSecond)};
}

timespec read_system(clockid_t clock) {
  timespec now{};
  real.clock_gettime(clock, &now);
  return later_by_sleeps(now, clock);
}

timespec read_date() { return as_timespec(CLOCK_REALTIME, read_fixed_clock()); }

bool is_random_file(const char* path) {
  if (path == nullptr) return false;
  const char* const names[] = {"/dev/urandom", "/dev/random"};
  for (const char* name : names) {
    int i = 0;
    while (name[i] != 0 && name[i] == path[i]) ++i;
    if (name[i] == 0 && path[i] == 0) return true;
  }
  return false;
}

// A file of memory with fixed bytes; negative: there is none.
int open_fixed_random() {
  const int fd = memfd_create("isosan-random", MFD_CLOEXEC);
  if (fd < 0) return fd;
  unsigned char bytes[512];
  for (std::size_t written = 0; written < kRandomFile; written += sizeof bytes) {
    fill_with_fixed_random(bytes, sizeof bytes);
    if (real.pwrite(fd, bytes, sizeof bytes, static_cast<off_t>(written)) < 0) break;
  }
  return fd;
}

}  // namespace

timespec now_of(clockid_t clock) {
  if (serialized(current()) && asks_world(kClock)) return as_timespec(clock, fixed_time());
  be_resolved();
  return read_system(clock);
}

}  // namespace isosan::rt

using namespace isosan::rt;

ISOSAN_EXPORT int clock_gettime(clockid_t clock, timespec* time) noexcept {
  if (is_fixed(kClock)) {
    *time = as_timespec(clock, read_fixed_clock());
    return 0;
  }
  const int result = real.clock_gettime(clock, time);
  if (result == 0) *time = later_by_sleeps(*time, clock);
  return result;
}
ISOSAN_EXPORT int gettimeofday(timeval* time, void* zone) noexcept {
  const bool fixed = is_fixed(kClock);
  if (!fixed && !serialized(current())) return real.gettimeofday(time, zone);
  const timespec now = fixed ? read_date() : read_system(CLOCK_REALTIME);
  *time = {now.tv_sec, now.tv_nsec / 1000};
  return 0;
}
ISOSAN_EXPORT time_t time(time_t* to) noexcept {
  const bool fixed = is_fixed(kClock);
  if (!fixed && !serialized(current())) return real.time(to);
  const time_t now = (fixed ? read_date() : read_system(CLOCK_REALTIME)).tv_sec;
  if (to != nullptr) *to = now;
  return now;
}
ISOSAN_EXPORT clock_t clock() noexcept {
  if (!is_fixed(kClock)) return real.clock();
  return static_cast<clock_t>((read_fixed_clock() - virtual_time()) / 1000);
}
ISOSAN_EXPORT int timespec_get(timespec* to, int base) noexcept {
  const bool fixed = is_fixed(kClock);
  const int result = fixed ? base : real.timespec_get(to, base);
  if (result != 0) *to = fixed ? read_date() : later_by_sleeps(*to, CLOCK_REALTIME);
  return result;
}

ISOSAN_EXPORT ssize_t getrandom(void* buffer, std::size_t n, unsigned flags) {
  if (!is_fixed(kRandom)) return real.getrandom(buffer, n, flags);
  fill_with_fixed_random(buffer, n);
  return static_cast<ssize_t>(n);
}
ISOSAN_EXPORT int getentropy(void* buffer, std::size_t n) {
  if (!is_fixed(kRandom)) return real.getentropy(buffer, n);
  fill_with_fixed_random(buffer, n);
  return 0;
}
ISOSAN_EXPORT std::uint32_t arc4random() noexcept {
  if (!is_fixed(kRandom)) return real.arc4random();
  std::uint32_t number;
  fill_with_fixed_random(&number, sizeof number);
  return number;
}
ISOSAN_EXPORT void arc4random_buf(void* buffer, std::size_t n) noexcept {
  if (!is_fixed(kRandom)) return real.arc4random_buf(buffer, n);
  fill_with_fixed_random(buffer, n);
}
ISOSAN_EXPORT std::uint32_t arc4random_uniform(std::uint32_t bound) noexcept {
  if (!is_fixed(kRandom)) return real.arc4random_uniform(bound);
  return bound == 0 ? 0 : arc4random() % bound;
}
// std::random_device::_M_getval() of libstdc++, which asks the processor on x86-64. If a library
// was loaded with local scope, the real function may not be found here.
ISOSAN_EXPORT unsigned _ZNSt13random_device9_M_getvalEv(void* device) {
  if (!is_fixed(kRandom) && real._ZNSt13random_device9_M_getvalEv != nullptr) {
    return real._ZNSt13random_device9_M_getvalEv(device);
  }
  unsigned number = 0;
  getrandom(&number, sizeof number, 0);
  return number;
}

#define OPENS(name)                                                                  \
  ISOSAN_EXPORT int name(const char* path, int flags, ...) {                         \
    va_list rest;                                                                    \
    va_start(rest, flags);                                                           \
    const bool creates = (flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE; \
    const mode_t mode = creates ? va_arg(rest, mode_t) : 0;                          \
    va_end(rest);                                                                    \
    be_resolved();                                                                   \
    if (is_random_file(path) && is_fixed(kRandom)) return open_fixed_random();       \
    return real.name(path, flags, mode);                                             \
  }
OPENS(open)
OPENS(open64)

#define OPENS_STREAM(name)                                                         \
  ISOSAN_EXPORT std::FILE* name(const char* path, const char* mode) {              \
    be_resolved();                                                                 \
    if (!is_random_file(path) || !is_fixed(kRandom)) return real.name(path, mode); \
    const int fd = open_fixed_random();                                            \
    return fd < 0 ? nullptr : fdopen(fd, mode);                                    \
  }
OPENS_STREAM(fopen)
OPENS_STREAM(fopen64)
