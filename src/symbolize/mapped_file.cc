#include "symbolize/mapped_file.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstring>

#include "base/input_error.h"

namespace isosan {
namespace {

constexpr std::size_t kMostFiles = 4096;
constexpr std::uintptr_t kPage = 4096;

struct Range {
  std::atomic<std::uintptr_t> begin{0};  // 0: free
  std::atomic<std::uintptr_t> end{0};
};
Range ranges[kMostFiles];

// Async-signal-safe: it only looks at the ranges and maps a page.
void put_zeros(int, siginfo_t* info, void*) {
  const auto at = reinterpret_cast<std::uintptr_t>(info->si_addr);
  for (const Range& range : ranges) {
    if (at < range.begin.load() || at >= range.end.load() || range.begin.load() == 0) continue;
    void* page = reinterpret_cast<void*>(at & ~(kPage - 1));
    const int error = errno;
    const void* zeros =
        ::mmap(page, kPage, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    errno = error;
    if (zeros != MAP_FAILED) return;
  }
  ::signal(SIGBUS, SIG_DFL);
  if (info->si_code <= 0) ::raise(SIGBUS);  // sent by a process; a fault is raised again by itself
}

void install_handler() {
  static const bool installed = [] {
    struct sigaction action {};
    action.sa_sigaction = put_zeros;
    action.sa_flags = SA_SIGINFO;
    return ::sigaction(SIGBUS, &action, nullptr) == 0;
  }();
  static_cast<void>(installed);
}

std::span<const std::byte> map(const std::string& path) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  if (fd < 0) throw InputError(path + ": " + std::strerror(errno));
  struct stat info {};
  void* data = MAP_FAILED;
  if (::fstat(fd, &info) == 0 && S_ISREG(info.st_mode) && info.st_size > 0) {
    data = ::mmap(nullptr, static_cast<std::size_t>(info.st_size), PROT_READ, MAP_PRIVATE, fd, 0);
  }
  ::close(fd);
  if (data == MAP_FAILED) throw InputError(path + ": cannot be read");
  return {static_cast<const std::byte*>(data), static_cast<std::size_t>(info.st_size)};
}

void unmap(std::span<const std::byte> bytes) {
  ::munmap(const_cast<std::byte*>(bytes.data()), bytes.size());
}

}  // namespace

MappedFile::MappedFile(const std::string& path) : bytes_(map(path)) {
  install_handler();
  const auto begin = reinterpret_cast<std::uintptr_t>(bytes_.data());
  for (; slot_ < kMostFiles; ++slot_) {
    std::uintptr_t free = 0;
    if (!ranges[slot_].begin.compare_exchange_strong(free, begin)) continue;
    ranges[slot_].end.store(begin + bytes_.size());
    return;
  }
  unmap(bytes_);
  throw InputError(path + ": too many files");
}

MappedFile::~MappedFile() {
  ranges[slot_].end.store(0);
  ranges[slot_].begin.store(0);
  unmap(bytes_);
}

}  // namespace isosan
