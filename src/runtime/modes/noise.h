// Noise: a thread yields or sleeps now and then, so that more interleavings happen (after
// Ben-Asher, Eytani, Farchi, Ur, "Noise makers need to know where to be silent", 2006).
//
// Where: before an access that is not a repeat in its epoch, before a lock is acquired, and after
// it is released (make_noise, thread/mode.h). How often: with the probability that the reader asked
// for (LogHeader::noise). The decisions come from one generator per thread, seeded with (seed,
// thread number), so that a thread of the same number draws the same numbers in every run.
// Law: noise happens at a safe point only; nothing that was checked is outstanding.
#pragma once

#include <cstdint>

namespace isosan::rt {

void start_noise(std::uint32_t probability, std::uint64_t seed);  // in 2^32

}  // namespace isosan::rt
