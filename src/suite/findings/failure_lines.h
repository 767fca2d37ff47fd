// The lines in which a test says why it failed, out of all that it wrote.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace isosan::suite {

inline constexpr std::size_t kMostFailureLines = 6;

// From the first line that speaks of a failure to the next blank one; the last lines if none does.
std::vector<std::string> failure_lines(const std::string& output,
                                       std::size_t most = kMostFailureLines);
// Those on stderr, unless only stdout speaks of a failure, or nothing was written to stderr.
std::vector<std::string> failure_lines(const std::string& errors, const std::string& output,
                                       std::size_t most = kMostFailureLines);

}  // namespace isosan::suite
