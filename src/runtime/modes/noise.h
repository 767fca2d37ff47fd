// Noise: a thread gives way now and then, so that more interleavings happen (after Ben-Asher,
// Eytani, Farchi, Ur, "Noise makers need to know where to be silent", 2006).
//
// Where: before an access that is not a repeat in its epoch, before a lock is taken, after it was
// given up (make_noise, thread/mode.h). How often: with the probability that the reader asked for
// (LogHeader::noise). Which ones: a generator per thread, seeded with (seed, thread number), so
// that a thread of the same number draws the same numbers in every run.
// Law: noise comes at a safe point only; nothing that was checked is outstanding.
#pragma once

#include <cstdint>

namespace isosan::rt {

void start_noise(std::uint32_t probability, std::uint64_t seed);  // in 2^32

}  // namespace isosan::rt
