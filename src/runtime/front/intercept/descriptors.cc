#include "runtime/front/intercept/descriptors.h"

#include <errno.h>
#include <sys/stat.h>

#include "runtime/front/intercept/blocking.h"
#include "runtime/front/modules.h"
#include "runtime/ownership/access.h"
#include "runtime/ownership/memory.h"

namespace isosan::rt {

// The locations; nothing is stored there. Global, so that reports name it.
constexpr int kDescriptors = 1 << 16;
extern std::uint64_t file_descriptors[kDescriptors];
std::uint64_t file_descriptors[kDescriptors];

namespace {

std::atomic<std::uint64_t> files[kDescriptors];  // what each number stood for at its last use

bool is_seen(const Thread* t, int fd, std::uint64_t place) {
  return t != nullptr && g_mode.writes_object != nullptr && fd >= 0 && fd < kDescriptors &&
         is_of_program(place);
}

// 0: not open.
std::uint64_t file_of(int fd) {
  const int error = errno;
  struct stat status;
  const bool is_open = ::fstat(fd, &status) == 0;
  errno = error;
  return is_open ? status.st_ino * 31 + status.st_dev : 0;
}

void renew_if_other(Thread& t, int fd, std::uint64_t place) {
  const std::uint64_t file = file_of(fd);
  if (files[fd].exchange(file, std::memory_order_relaxed) == file) return;
  memory_renewed(t, address_of(&file_descriptors[fd]), sizeof file_descriptors[fd], place);
}

void close_descriptor(Thread* t, int fd, std::uint64_t place) {
  if (!is_seen(t, fd, place)) return;
  RuntimeScope scope(t);
  PointsOff points_off(*t);
  renew_if_other(*t, fd, place);
  slow_write(*t, address_of(&file_descriptors[fd]), sizeof file_descriptors[fd], place);
  memory_renewed(*t, address_of(&file_descriptors[fd]), sizeof file_descriptors[fd], place);
}

}  // namespace

void use_descriptor(Thread* t, int fd, std::uint64_t place) {
  if (!is_seen(t, fd, place)) return;
  RuntimeScope scope(t);
  PointsOff points_off(*t);
  renew_if_other(*t, fd, place);
  slow_read(*t, address_of(&file_descriptors[fd]), sizeof file_descriptors[fd], place);
}

namespace {

template <class Real>
int replace_descriptor(int from, int to, std::uint64_t place, Real call) {
  Thread* t = observed();
  use_descriptor(t, from, place);
  use_descriptor(t, to, place);
  const int result = call();
  if (result >= 0 && is_seen(t, to, place)) files[to].store(file_of(to), std::memory_order_relaxed);
  return result;
}

}  // namespace
}  // namespace isosan::rt

using namespace isosan::rt;

ISOSAN_EXPORT int close(int fd) {
  close_descriptor(observed(), fd, ISOSAN_CALLER);
  return real.close(fd);
}
ISOSAN_EXPORT int fclose(std::FILE* file) {
  close_descriptor(observed(), fileno(file), ISOSAN_CALLER);
  return real.fclose(file);
}
ISOSAN_EXPORT int dup2(int from, int to) noexcept {
  return replace_descriptor(from, to, ISOSAN_CALLER, [&] { return real.dup2(from, to); });
}
ISOSAN_EXPORT int dup3(int from, int to, int flags) noexcept {
  return replace_descriptor(from, to, ISOSAN_CALLER, [&] { return real.dup3(from, to, flags); });
}
