#include "spec/refined_spec.h"

#include <toml++/toml.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "base/fresh_file.h"
#include "base/user_error.h"
#include "spec/spec_file.h"

namespace isosan {
namespace {

// A TOML string on one line.
std::string quoted(const std::string& text) {
  std::ostringstream out;
  out << toml::value<std::string>(text);
  return out.str();
}

// By string: the comment above each line that consists of one string.
std::map<std::string, std::string> reasons_in(const std::string& path) {
  std::map<std::string, std::string> reasons;
  std::ifstream file(path);
  std::string comment;
  for (std::string line; std::getline(file, line);) {
    const std::size_t first = line.find_first_not_of(' ');
    if (first == std::string::npos) continue;
    line.erase(0, first);
    if (line.starts_with("# ")) {
      comment = line.substr(2);
    } else {
      if (line.ends_with(',')) line.pop_back();
      reasons[line] = std::exchange(comment, "");
    }
  }
  return reasons;
}

}  // namespace

std::vector<Exclusion> read_refined_spec(const std::string& path) {
  std::vector<Exclusion> exclusions;
  if (!std::filesystem::exists(path)) return exclusions;
  const SpecFile spec = read_spec_file(path);
  const std::map<std::string, std::string> reasons = reasons_in(path);
  for (const std::string& function : spec.rules.not_atomic) {
    const auto found = reasons.find(quoted(function));
    exclusions.push_back({function, found == reasons.end() ? "" : found->second});
  }
  return exclusions;
}

void write_refined_spec(const std::string& path, const std::vector<Exclusion>& exclusions) {
  std::string text =
      "# Written by isosan refine: all methods are atomic but these.\n\n[not-atomic]\n"
      "functions = [\n";
  for (const Exclusion& exclusion : exclusions) {
    std::string reason = exclusion.reason;
    std::ranges::replace(reason, '\n', ' ');
    if (!reason.empty()) text += "  # " + reason + "\n";
    text += "  " + quoted(exclusion.function) + ",\n";
  }
  FreshFile file(path);
  if (!file.is_open() || !file.complete(text + "]\n")) {
    throw UserError("cannot write " + path + ": " + std::strerror(errno));
  }
}

}  // namespace isosan
