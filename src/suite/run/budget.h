// How the time of all hunts is shared: pure functions.
//
// Model: a test with one thread has nothing to hunt. A test whose threads met each other in the
// watched run weighs three times one whose threads did not. Each test gets its share of what is
// left when its turn comes, so that what others did not need is not lost.
#pragma once

#include <chrono>
#include <cstddef>

#include "suite/findings/result.h"

namespace isosan::suite {

unsigned weight_of(const TestResult& test);  // 0: is not hunted

// At least a second. `left` of the time, for `jobs` at one time; `weights` of this test and of all
// that wait behind it.
std::chrono::seconds share_of(std::chrono::seconds left, unsigned jobs, unsigned weight,
                              unsigned weights);

// An estimate: the other steps of a phase take as long as those that are done, and `behind` follows.
// At most `most`.
std::chrono::seconds time_left(std::chrono::seconds elapsed, std::size_t done, std::size_t total,
                               std::chrono::seconds behind, std::chrono::seconds most);

}  // namespace isosan::suite
