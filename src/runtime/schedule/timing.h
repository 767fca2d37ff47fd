// How long a timed call would wait, in nanoseconds: where one thread runs at a time, time is
// virtual.
#pragma once

#include <time.h>

#include <cstdint>

#include "runtime/schedule/schedule.h"

namespace isosan::rt {

// In whole milliseconds: the order of two waits should not depend on when they were computed.
inline std::uint64_t nanoseconds_of(std::int64_t seconds, std::int64_t nanoseconds) {
  if (seconds < 0 || (seconds == 0 && nanoseconds <= 0)) return 1;
  if (seconds > 1000000000) return kForEver - 1;
  const auto total = static_cast<std::uint64_t>(seconds) * 1000000000 +
                     static_cast<std::uint64_t>(nanoseconds > 0 ? nanoseconds : 0);
  return (total + 999999) / 1000000 * 1000000;
}

timespec now_of(clockid_t clock);  // as the program would see it; front/intercept/world.cc

inline std::uint64_t time_until(clockid_t clock, const timespec* until) {
  const timespec now = now_of(clock);
  std::int64_t seconds = until->tv_sec - now.tv_sec;
  std::int64_t nanoseconds = until->tv_nsec - now.tv_nsec;
  if (nanoseconds < 0) {
    --seconds;
    nanoseconds += 1000000000;
  }
  return nanoseconds_of(seconds, nanoseconds);
}

// A condition may use either clock. A time that lies decades back belongs to the other one.
inline std::uint64_t time_until_by_either(const timespec* until) {
  const timespec now = now_of(CLOCK_REALTIME);
  constexpr std::int64_t kDecades = 1000000000;
  const bool by_date = until->tv_sec > now.tv_sec - kDecades;
  return time_until(by_date ? CLOCK_REALTIME : CLOCK_MONOTONIC, until);
}

}  // namespace isosan::rt
