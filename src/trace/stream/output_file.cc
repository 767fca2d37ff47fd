#include "trace/stream/output_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "base/input_error.h"

namespace isosan {

OutputFile::OutputFile(const std::string& path) : name_(path) {
  fd_ = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (fd_ < 0) fail("cannot be written");
}

OutputFile::~OutputFile() {
  if (fd_ >= 0) ::close(fd_);
}

void OutputFile::fail(std::string_view what) const {
  throw InputError(fmt::format("{}: {}: {}", name_, what, strerror(errno)));
}

void OutputFile::flush() {
  std::string_view rest = buffer_;
  while (!rest.empty()) {
    const ssize_t done = ::write(fd_, rest.data(), rest.size());
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) fail("cannot be written");
    rest.remove_prefix(static_cast<std::size_t>(done));
  }
  flushed_ += buffer_.size();
  buffer_.clear();
}

void OutputFile::rewrite(std::uint64_t offset, std::string_view bytes) {
  flush();
  const ssize_t done = pwrite(fd_, bytes.data(), bytes.size(), static_cast<off_t>(offset));
  if (done != static_cast<ssize_t>(bytes.size())) fail("its header cannot be completed");
}

void OutputFile::close() {
  flush();
  if (::close(std::exchange(fd_, -1)) != 0) fail("cannot be written");
}

}  // namespace isosan
