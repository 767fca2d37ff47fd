#include "trace/stream/input_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "base/input_error.h"

namespace isosan {

namespace {
constexpr std::size_t kWindow = std::size_t{256} << 10;  // stays in the second-level cache
// A window of up to this size grows only as much as needed: the reader of a chunk shares the cache
// with the state of the analysis.
constexpr std::size_t kWellCached = std::size_t{1} << 20;
}  // namespace

InputFile::InputFile(const std::string& path) : name_(path), capacity_(kWindow) {
  fd_ = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd_ < 0) throw InputError(fmt::format("{}: cannot be opened: {}", path, strerror(errno)));
  struct stat status {};
  if (fstat(fd_, &status) == 0) {
    if (S_ISDIR(status.st_mode)) {
      close(fd_);
      throw InputError(fmt::format("{}: is a directory, not a file", path));
    }
    if (S_ISREG(status.st_mode)) size_ = static_cast<std::uint64_t>(status.st_size);
  }
  buffer_ = std::make_unique_for_overwrite<char[]>(capacity_ + kPadding);
  pad();
}

InputFile::InputFile(std::string name, std::string_view bytes)
    : name_(std::move(name)), capacity_(bytes.size()), end_(bytes.size()), size_(bytes.size()) {
  buffer_ = std::make_unique_for_overwrite<char[]>(capacity_ + kPadding);
  if (!bytes.empty()) std::memcpy(buffer_.get(), bytes.data(), bytes.size());
  at_end_ = true;
  pad();
}

InputFile::InputFile(InputFile&& other) noexcept
    : name_(std::move(other.name_)),
      fd_(std::exchange(other.fd_, -1)),
      buffer_(std::move(other.buffer_)),
      capacity_(other.capacity_),
      begin_(other.begin_),
      end_(other.end_),
      offset_(other.offset_),
      size_(other.size_),
      at_end_(other.at_end_) {}

InputFile::~InputFile() {
  if (fd_ >= 0) close(fd_);
}

void InputFile::pad() { std::memset(buffer_.get() + end_, '\n', kPadding); }

void InputFile::refill(std::size_t n) {
  if (at_end_) return;
  const std::size_t unread = end_ - begin_;
  if (n > capacity_) {
    capacity_ = n + (n <= kWellCached ? n / 16 : n);
    auto larger = std::make_unique_for_overwrite<char[]>(capacity_ + kPadding);
    std::memcpy(larger.get(), buffer_.get() + begin_, unread);
    buffer_ = std::move(larger);
  } else {
    std::memmove(buffer_.get(), buffer_.get() + begin_, unread);
  }
  begin_ = 0;
  end_ = unread;
  while (end_ < n && !at_end_) {
    const ssize_t got = read(fd_, buffer_.get() + end_, capacity_ - end_);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) {
      pad();
      throw InputError(
          fmt::format("{}: offset {}: cannot be read: {}", name_, offset_, strerror(errno)));
    }
    end_ += static_cast<std::size_t>(got);
    at_end_ = got == 0;
  }
  pad();
}

}  // namespace isosan
