#include "suite/findings/failure_lines.h"

#include <algorithm>
#include <sstream>

namespace isosan::suite {

namespace {

bool says_so(const std::string& line) {
  return line.find("ailure") != line.npos || line.find("FAILED") != line.npos ||
         line.find("ssert") != line.npos || line.find("rror") != line.npos;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

}  // namespace

std::vector<std::string> failure_lines(const std::string& errors, const std::string& output,
                                       std::size_t most) {
  const bool in_output = std::ranges::none_of(lines_of(errors), says_so) &&
                         (errors.empty() || std::ranges::any_of(lines_of(output), says_so));
  return failure_lines(in_output ? output : errors, most);
}

std::vector<std::string> failure_lines(const std::string& output, std::size_t most) {
  const std::vector<std::string> lines = lines_of(output);
  auto from = std::ranges::find_if(lines, says_so);
  if (from == lines.end()) from = lines.end() - static_cast<long>(std::min(most, lines.size()));
  const auto end = std::find(from, lines.end(), "");  // a blank line ends it
  const auto left = static_cast<std::size_t>(end - from);
  return {from, from + static_cast<long>(std::min(most, left))};
}

}  // namespace isosan::suite
