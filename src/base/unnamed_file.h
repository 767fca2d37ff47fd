// An unnamed file in $TMPDIR: it disappears with the last process that has it open.
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <string>
#include <system_error>

namespace isosan {

// $TMPDIR, or where temporary files usually are.
inline const char* temporary_folder() {
  const char* folder = std::getenv("TMPDIR");
  return folder == nullptr || *folder == 0 ? "/tmp" : folder;
}

// The descriptor, for reading and writing. Throws std::system_error, with `purpose` in its text.
inline int open_unnamed_file(const char* purpose) {
  const char* folder = temporary_folder();
  int fd = ::open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (fd < 0 &&
      (errno == EOPNOTSUPP || errno == EISDIR)) {  // not every file system supports O_TMPFILE
    std::string path = std::string(folder) + "/isosan-XXXXXX";
    fd = ::mkostemp(path.data(), O_CLOEXEC);
    if (fd >= 0) ::unlink(path.c_str());
  }
  if (fd < 0) throw std::system_error(errno, std::generic_category(), purpose);
  return fd;
}

}  // namespace isosan
