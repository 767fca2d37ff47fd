#include "runtime/modes/noise.h"

#include "runtime/ownership/coordinate.h"
#include "runtime/platform/os.h"

namespace isosan::rt {
namespace {

constexpr std::uint64_t kLongestPause = 64;  // microseconds

// xorshift64*: Vigna, "An experimental exploration of Marsaglia's xorshift generators", 2016.
std::uint64_t draw(std::uint64_t& state) {
  state ^= state >> 12;
  state ^= state << 25;
  state ^= state >> 27;
  return state * 0x2545f4914f6cdd1d;
}

}  // namespace

void seed_noise(Thread& t) {
  const std::uint64_t mixed = (g_log.header->noise_seed + t.id + 1) * 0x9e3779b97f4a7c15;
  t.noise_state = mixed | 1;  // not 0
}

// A yield alone does nothing while a core is free: every second time the thread sleeps.
void make_noise_by_chance(Thread& t) {
  const std::uint64_t number = draw(t.noise_state);
  if (number >> 32 >= g_log.noise) return;
  BlockedScope blocked(&t);
  if ((number & 1) != 0) {
    yield_cpu();
  } else {
    sleep_microseconds(static_cast<std::uint32_t>(1 + (number >> 1) % kLongestPause));
  }
}

}  // namespace isosan::rt
