// A temporary trace: an unnamed file, and a path that leads to it.
#pragma once

#include <fmt/format.h>
#include <unistd.h>

#include <string>

#include "base/unnamed_file.h"

namespace isosan {

class ScratchTrace {
 public:
  ScratchTrace() : fd_(open_unnamed_file("room for the log of the run")) {}
  ~ScratchTrace() { ::close(fd_); }
  ScratchTrace(const ScratchTrace&) = delete;
  ScratchTrace& operator=(const ScratchTrace&) = delete;

  std::string path() const { return fmt::format("/proc/self/fd/{}", fd_); }

 private:
  int fd_;
};

}  // namespace isosan
