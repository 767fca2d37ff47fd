#include "runtime/modes/noise.h"

#include "runtime/ownership/coordinate.h"
#include "runtime/platform/os.h"

namespace isosan::rt {
namespace {

constexpr std::uint64_t kLongestPause = 64;  // microseconds

std::uint32_t probability_of_noise;
std::uint64_t seed_of_noise;

// xorshift64*: Vigna, "An experimental exploration of Marsaglia's xorshift generators", 2016.
std::uint64_t draw(std::uint64_t& state) {
  state ^= state >> 12;
  state ^= state << 25;
  state ^= state >> 27;
  return state * 0x2545f4914f6cdd1d;
}

// A yield does nothing while a core is free. So every second time the thread sleeps instead.
void make_noise_by_chance(Thread& t) {
  if (t.noise_state == 0)
    t.noise_state = (seed_of_noise + t.id + 1) * 0x9e3779b97f4a7c15 | 1;  // not 0
  const std::uint64_t number = draw(t.noise_state);
  if (number >> 32 >= probability_of_noise) return;
  BlockedScope blocked(&t);
  if ((number & 1) != 0) {
    yield_cpu();
  } else {
    sleep_microseconds(static_cast<std::uint32_t>(1 + (number >> 1) % kLongestPause));
  }
}

}  // namespace

void start_noise(std::uint32_t probability, std::uint64_t seed) {
  probability_of_noise = probability;
  seed_of_noise = seed;
  g_noise_point = make_noise_by_chance;
}

}  // namespace isosan::rt
