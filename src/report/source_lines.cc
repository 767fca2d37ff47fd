#include "report/source_lines.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <string_view>

#include "base/shown.h"

namespace isosan {
namespace {

constexpr std::size_t kLongest = 120;

constexpr off_t kLargest = off_t{64} << 20;
constexpr std::string_view kEndings[] = {".c",   ".cc",  ".cpp", ".cxx", ".c++", ".C",   ".h",
                                         ".hh",  ".hpp", ".hxx", ".h++", ".H",   ".inc", ".inl",
                                         ".ipp", ".tcc", ".tpp", ".def", ".y",   ".l",   ".re"};

std::int64_t modified(const std::string& path) {
  struct stat status;
  return stat(path.c_str(), &status) == 0 ? status.st_mtime : 0;
}

bool is_source_name(std::string_view file) {
  return std::ranges::any_of(kEndings, [&](std::string_view end) { return file.ends_with(end); });
}

// The lines of a plain file, unless it was changed after `newest`.
std::vector<std::string> read_lines(const std::string& file, std::int64_t newest) {
  std::vector<std::string> lines;
  const int fd = ::open(file.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  struct stat status;
  if (fd >= 0 && ::fstat(fd, &status) == 0 && S_ISREG(status.st_mode) &&
      status.st_size <= kLargest && status.st_mtime <= newest) {
    std::ifstream stream("/proc/self/fd/" + std::to_string(fd));
    for (std::string line; std::getline(stream, line);) lines.push_back(line);
  }
  if (fd >= 0) ::close(fd);
  return lines;
}

std::string trimmed(const std::string& line) {
  const auto first = line.find_first_not_of(" \t");
  if (first == std::string::npos) return {};
  std::string text = line.substr(first, line.find_last_not_of(" \t\r") - first + 1);
  if (text.size() > kLongest) text = text.substr(0, kLongest) + "...";
  return text;
}

}  // namespace

SourceLines::SourceLines(const Tables& tables, bool wanted) {
  if (!wanted) return;
  for (const Module& module : tables.modules) {
    if (module.instrumented) newest_module_ = std::max(newest_module_, modified(module.path));
  }
}

const std::vector<std::string>& SourceLines::lines_of(const std::string& file) {
  const auto [found, is_new] = files_.try_emplace(file);
  if (is_new && newest_module_ != 0 && is_source_name(file))
    found->second = read_lines(file, newest_module_);
  return found->second;
}

std::string SourceLines::line(const std::string& file, std::uint32_t number) {
  if (file.empty() || number == 0) return {};
  const std::vector<std::string>& lines = lines_of(file);
  return number <= lines.size() ? shown_lines(trimmed(lines[number - 1])) : std::string();
}

bool SourceLines::contains(const std::string& file, std::uint32_t number, std::string_view text) {
  const std::vector<std::string>& lines = lines_of(file);
  return 0 < number && number <= lines.size() && lines[number - 1].find(text) != std::string::npos;
}

}  // namespace isosan
