#include "cli/report_file.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

#include "base/user_error.h"

namespace isosan {
namespace {

[[noreturn]] void cannot_write(const std::string& path) {
  throw UserError(fmt::format("cannot write {}: {}", path, std::strerror(errno)));
}

}  // namespace

ReportFile::ReportFile(std::string path) : path_(std::move(path)) {
  if (!wanted()) return;
  std::error_code none;
  new_ = !std::filesystem::exists(path_, none);
  file_.open(path_, std::ios::binary | std::ios::app);
  if (!file_) cannot_write(path_);
}

ReportFile::~ReportFile() {
  std::error_code none;
  if (new_) std::filesystem::remove(path_, none);
}

void ReportFile::write(std::string_view text) {
  new_ = false;
  std::error_code is_no_plain_file;
  std::filesystem::resize_file(path_, 0, is_no_plain_file);
  file_ << text;
  file_.close();
  if (!file_) cannot_write(path_);
}

}  // namespace isosan
