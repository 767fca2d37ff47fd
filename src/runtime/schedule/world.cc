#include "runtime/schedule/world.h"

#include "runtime/schedule/random.h"
#include "runtime/schedule/schedule.h"

namespace isosan::rt {
namespace {

constexpr std::uint64_t kNanosecondsOfARead = 1000;

log::ScheduleArea* area;
std::uint64_t now;
std::uint64_t clock_reads;
std::uint64_t random_state = 0x15054a;

}  // namespace

void start_world(log::ScheduleArea& shared) { area = &shared; }

std::uint64_t virtual_time() { return now; }
void let_time_pass(std::uint64_t deadline) {
  if (deadline > now) now = deadline;
}

bool asks_world(log::World what) {
  if (!g_serialized) return false;
  area->asked_world.fetch_or(what, std::memory_order_relaxed);
  return (area->fixed & what) != 0;
}

std::uint64_t fixed_time() { return now + clock_reads * kNanosecondsOfARead; }

std::uint64_t read_fixed_clock() {
  ++clock_reads;
  return fixed_time();
}

void fill_with_fixed_random(void* to, std::size_t n) {
  auto* bytes = static_cast<unsigned char*>(to);
  std::uint64_t word = 0;
  for (std::size_t i = 0; i < n; ++i, word >>= 8) {
    if (i % 8 == 0) word = next_random(random_state);
    bytes[i] = static_cast<unsigned char>(word);
  }
}

}  // namespace isosan::rt
