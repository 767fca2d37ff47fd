#include "trace/stream/output_file.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/input_error.h"

namespace isosan {

OutputFile::OutputFile(const std::string& path) : name_(path), file_(path) {
  if (!file_.is_open()) fail("cannot be written");
}

void OutputFile::fail(std::string_view what) const {
  throw InputError(fmt::format("{}: {}: {}", name_, what, strerror(errno)));
}

void OutputFile::flush() {
  if (!file_.write(buffer_) || !file_.rename_into_place()) fail("cannot be written");
  flushed_ += buffer_.size();
  buffer_.clear();
}

void OutputFile::rewrite(std::uint64_t offset, std::string_view bytes) {
  flush();
  const ssize_t done = pwrite(file_.fd(), bytes.data(), bytes.size(), static_cast<off_t>(offset));
  if (done != static_cast<ssize_t>(bytes.size())) fail("its header cannot be completed");
}

void OutputFile::close() {
  flush();
  if (!file_.close()) fail("cannot be written");
}

}  // namespace isosan
