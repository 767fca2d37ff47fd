#include "cli/options/report_file.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>

#include "base/user_error.h"

namespace isosan {
namespace {

[[noreturn]] void cannot_write(const std::string& path) {
  throw UserError(fmt::format("cannot write {}: {}", path, std::strerror(errno)));
}

}  // namespace

ReportFile::ReportFile(const std::string& path) {
  if (path.empty()) return;
  file_.emplace(path);
  if (!file_->is_open()) cannot_write(path);
}

void ReportFile::write(std::string_view text) {
  if (!file_->complete(text)) cannot_write(file_->path());
}

void write_report(const std::string& path, std::string_view text) {
  ReportFile file(path);
  if (file.wanted()) file.write(text);
}

}  // namespace isosan
