// How a finding may be mended, in one sentence: only where the evidence fits one of a few rules.
//
// | evidence                                              | hint |
// |---|---|
// | a deadlock                                            | one order of the locks, or both at once |
// | the thread waited for a condition between the two     | look again after the wait |
// | both accesses are atomic operations                   | one atomic operation |
// | both hold the same lock, taken twice                  | hold it from the first to the last |
// | both hold a lock, and no lock in common               | one lock for both |
// | the first holds no lock and the last does             | take the lock before the first |
// | nobody holds a lock                                   | a lock, or one atomic operation |
#pragma once

#include <string>

#include "suite/findings/merge.h"

namespace isosan::suite {

std::string hint(const MergedFinding& finding);  // empty: none fits

}  // namespace isosan::suite
