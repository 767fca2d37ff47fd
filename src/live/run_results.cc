#include "live/run_results.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>

namespace isosan {
namespace {

void lock(int fd, short type) {
  struct flock whole {};
  whole.l_type = type;
  whole.l_whence = SEEK_SET;
  while (::fcntl(fd, F_SETLKW, &whole) != 0 && errno == EINTR) {
  }
}

}  // namespace

ResultsLock::ResultsLock(int results) : results_(results) { lock(results_, F_WRLCK); }
ResultsLock::~ResultsLock() { lock(results_, F_UNLCK); }

void write_whole(int fd, const std::string& text) {
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t written = ::write(fd, text.data() + done, text.size() - done);
    if (written < 0 && errno != EINTR) return;
    if (written > 0) done += static_cast<std::size_t>(written);
  }
}

int make_results() {
  const int fd = ::memfd_create("isosan-results", MFD_CLOEXEC);
  if (fd >= 0) ::fcntl(fd, F_SETFL, O_APPEND);
  return fd;
}

void add_result(int results, const std::string& line) {
  const ResultsLock alone(results);
  write_whole(results, line + "\n");
}

std::vector<std::string> read_results(int results) {
  std::vector<std::string> lines;
  std::string line;
  char buffer[65536];
  off_t at = 0;
  for (ssize_t n; (n = ::pread(results, buffer, sizeof buffer, at)) > 0; at += n) {
    for (ssize_t i = 0; i < n; ++i) {
      if (buffer[i] != '\n') {
        line += buffer[i];
        continue;
      }
      lines.push_back(std::move(line));
      line.clear();
    }
  }
  return lines;
}

}  // namespace isosan
