// Noise: a thread gives way now and then, so that more interleavings happen (after Ben-Asher,
// Eytani, Farchi, Ur, "Noise makers need to know where to be silent", 2006).
//
// Where: before an access that is not a repeat in its epoch, before a lock is taken, after it was
// given up. How often: with the probability that the reader asked for (LogHeader::noise). Which
// ones: a generator per thread, seeded with (seed, thread number), so that a thread of the same
// number draws the same numbers in every run.
// Law: noise comes at a safe point only; nothing that was checked is outstanding.
#pragma once

#include "runtime/thread/thread.h"

namespace isosan::rt {

void seed_noise(Thread& t);
void make_noise_by_chance(Thread& t);  // the draw, and what follows

inline void make_noise(Thread& t) {
  if (g_log.noise != 0) [[unlikely]]
    make_noise_by_chance(t);
}

}  // namespace isosan::rt
