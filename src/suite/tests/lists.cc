#include "suite/tests/lists.h"

#include <algorithm>

namespace isosan::suite {
namespace {

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    lines.push_back(line);
    text.remove_prefix(end == text.npos ? text.size() : end + 1);
  }
  return lines;
}

std::size_t indent_of(std::string_view line) {
  return std::min(line.find_first_not_of(' '), line.size());
}

}  // namespace

// "Suite." and below it "  Case  # GetParam() = 1".
std::vector<std::string> googletest_cases(std::string_view listed) {
  std::vector<std::string> names;
  std::string suite;
  for (std::string_view line : lines_of(listed)) {
    const std::size_t indent = indent_of(line);
    line = line.substr(indent, line.find("  #", indent) - indent);
    if (line.empty()) continue;
    if (indent == 0) {
      suite = line.ends_with('.') ? line : "";  // else: a line of the program itself
    } else if (!suite.empty()) {
      const std::string name = suite + std::string(line);
      const bool disabled = name.starts_with("DISABLED_") || name.find(".DISABLED_") != name.npos ||
                            name.find("/DISABLED_") != name.npos;
      if (!disabled) names.push_back(name);
    }
  }
  return names;
}

std::vector<std::string> catch_cases(std::string_view listed) {
  std::vector<std::string> names;
  for (const std::string_view line : lines_of(listed)) {
    if (!line.empty()) names.emplace_back(line);
  }
  return names;
}

// Names between lines of "=" and messages of doctest itself.
std::vector<std::string> doctest_cases(std::string_view listed) {
  std::vector<std::string> names;
  for (const std::string_view line : lines_of(listed)) {
    const bool ruler = line.find_first_not_of('=') == line.npos;
    if (!ruler && !line.starts_with("[doctest]")) names.emplace_back(line);
  }
  return names;
}

// A tree: four blanks for each level, "*" behind what is enabled. A node with children is a suite.
std::vector<std::string> boost_cases(std::string_view listed) {
  std::vector<std::string> names, path;
  const std::vector<std::string_view> lines = lines_of(listed);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::size_t depth = indent_of(lines[i]) / 4;
    std::string_view name = lines[i].substr(indent_of(lines[i]));
    name = name.substr(0, name.find(':'));  // behind it: the description
    const bool enabled = name.ends_with('*');
    if (enabled) name.remove_suffix(1);
    if (name.empty() || depth > path.size()) continue;
    path.resize(depth);
    path.emplace_back(name);
    const bool is_suite = i + 1 < lines.size() && indent_of(lines[i + 1]) / 4 > depth;
    if (is_suite || !enabled) continue;
    std::string whole;
    for (const std::string& part : path) whole += (whole.empty() ? "" : "/") + part;
    names.push_back(whole);
  }
  return names;
}

}  // namespace isosan::suite
