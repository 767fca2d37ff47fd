// A file that is written under a temporary name and then renamed over the one it replaces.
//
// Law: nothing is written through a link at that name, and a file that cannot be
// completed replaces nothing. A link of that name is itself replaced. If the name belongs to no
// plain file (a pipe, a device) it is opened as it is; a name of one of our own descriptors
// (/dev/stdout, /dev/fd/N) means that descriptor.
#pragma once

#include <fcntl.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>

namespace isosan {

class FreshFile {
 public:
  FreshFile() = default;
  explicit FreshFile(std::string path) : path_(std::move(path)) { open(); }
  ~FreshFile() {
    if (fd_ >= 0) ::close(fd_);
    if (!temporary_.empty()) ::unlink(temporary_.c_str());
  }
  FreshFile(const FreshFile&) = delete;
  FreshFile& operator=(const FreshFile&) = delete;

  bool is_open() const { return fd_ >= 0; }
  int fd() const { return fd_; }
  const std::string& path() const { return path_; }

  // The functions below return false on failure and set errno.
  bool write(std::string_view text) {
    while (!text.empty()) {
      const ssize_t done = ::write(fd_, text.data(), text.size());
      if (done < 0 && errno == EINTR) continue;
      if (done < 0) return false;
      text.remove_prefix(static_cast<std::size_t>(done));
    }
    return true;
  }
  // Gives the file its final name. It can still be written to.
  bool rename_into_place() {
    if (temporary_.empty()) return true;
    if (::rename(temporary_.c_str(), path_.c_str()) != 0) return false;
    temporary_.clear();
    return true;
  }
  bool close() { return ::close(std::exchange(fd_, -1)) == 0; }
  bool complete(std::string_view text) { return write(text) && close() && rename_into_place(); }

 private:
  void open() {
    struct stat info;
    if (const int own = own_descriptor(); own >= 0) {
      fd_ = ::fcntl(own, F_DUPFD_CLOEXEC, 0);
    } else if (::lstat(path_.c_str(), &info) != 0) {
      if (errno == ENOENT) open_temporary();
    } else if (S_ISREG(info.st_mode) || S_ISLNK(info.st_mode)) {
      open_temporary();
      if (fd_ >= 0 && S_ISREG(info.st_mode)) ::fchmod(fd_, info.st_mode & 0777);
    } else {
      open_special();
    }
  }

  int own_descriptor() const {
    if (path_ == "/dev/stdout") return 1;
    if (path_ == "/dev/stderr") return 2;
    for (const std::string_view folder : {"/dev/fd/", "/proc/self/fd/"}) {
      if (!path_.starts_with(folder) || path_.size() == folder.size()) continue;
      const std::string number = path_.substr(folder.size());
      if (number.size() > 6 || number.find_first_not_of("0123456789") != number.npos) return -1;
      return std::atoi(number.c_str());
    }
    return -1;
  }

  void open_special() {
    const int fd = ::open(path_.c_str(), O_WRONLY | O_NOFOLLOW | O_NOCTTY | O_CLOEXEC);
    struct stat info;
    if (fd >= 0 && (::fstat(fd, &info) != 0 || S_ISREG(info.st_mode))) {  // it has changed since
      ::close(fd);
      errno = EAGAIN;
      return;
    }
    fd_ = fd;
  }

  void open_temporary() {
    for (int attempt = 0; attempt < 100 && fd_ < 0; ++attempt) {
      std::uint32_t number = 0;
      if (::getrandom(&number, sizeof number, 0) != sizeof number) return;
      char ending[32];
      std::snprintf(ending, sizeof ending, ".new-%08x", number);
      const std::string name = path_ + ending;
      fd_ = ::open(name.c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
      if (fd_ >= 0) temporary_ = name;
      if (fd_ < 0 && errno != EEXIST) return;
    }
  }

  std::string path_;
  std::string temporary_;  // the temporary name; empty: renamed already, or no plain file
  int fd_ = -1;
};

}  // namespace isosan
