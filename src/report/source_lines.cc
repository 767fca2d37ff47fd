#include "report/source_lines.h"

#include <sys/stat.h>

#include <algorithm>
#include <fstream>

namespace isosan {
namespace {

constexpr std::size_t kLongest = 120;

std::int64_t modified(const std::string& path) {
  struct stat status;
  return stat(path.c_str(), &status) == 0 ? status.st_mtime : 0;
}

std::string trimmed(const std::string& line) {
  const auto first = line.find_first_not_of(" \t");
  if (first == std::string::npos) return {};
  std::string text = line.substr(first, line.find_last_not_of(" \t\r") - first + 1);
  if (text.size() > kLongest) text = text.substr(0, kLongest) + "...";
  return text;
}

}  // namespace

SourceLines::SourceLines(const Tables& tables) {
  for (const Module& module : tables.modules) {
    if (module.instrumented) newest_module_ = std::max(newest_module_, modified(module.path));
  }
}

const std::vector<std::string>& SourceLines::lines_of(const std::string& file) {
  const auto [found, is_new] = files_.try_emplace(file);
  const std::int64_t time = modified(file);
  if (!is_new || time == 0 || time > newest_module_) return found->second;
  std::ifstream stream(file);
  for (std::string line; std::getline(stream, line);) found->second.push_back(line);
  return found->second;
}

std::string SourceLines::line(const std::string& file, std::uint32_t number) {
  if (file.empty() || number == 0) return {};
  const std::vector<std::string>& lines = lines_of(file);
  return number <= lines.size() ? trimmed(lines[number - 1]) : std::string();
}

}  // namespace isosan
