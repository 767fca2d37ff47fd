#include "runtime/platform/os.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <linux/membarrier.h>
#include <poll.h>
#include <signal.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>

#include "runtime/platform/arch.h"
#include "runtime/platform/check.h"

namespace isosan::rt {
namespace {

std::size_t length(const char* s) {
  std::size_t n = 0;
  while (s[n] != 0) ++n;
  return n;
}

bool failed(long result) { return result < 0 && result > -4096; }

long map(std::uint64_t address, std::size_t bytes, int flags, int fd) {
  return raw_syscall(SYS_mmap, static_cast<long>(address), static_cast<long>(bytes),
                     PROT_READ | PROT_WRITE, flags, fd, 0);
}

}  // namespace

void warn(const char* what, const char* detail) {
  char line[512];
  std::size_t n = 0;
  for (const char* part : {"isosan: ", what, detail, "\n"}) {
    for (std::size_t i = 0; i < length(part) && n < sizeof line; ++i) line[n++] = part[i];
  }
  raw_syscall(SYS_write, 2, reinterpret_cast<long>(line), static_cast<long>(n));
}

void warn_if_safe(const char* what) {
  struct stat info;
  if (raw_syscall(SYS_fstat, 2, reinterpret_cast<long>(&info)) != 0) return;
  if (!S_ISCHR(info.st_mode) && !S_ISFIFO(info.st_mode)) return;
  pollfd stderr_now{2, POLLOUT, 0};
  timespec no_time{0, 0};
  raw_syscall(SYS_ppoll, reinterpret_cast<long>(&stderr_now), 1, reinterpret_cast<long>(&no_time),
              0, 0);
  if (stderr_now.revents == POLLOUT) warn(what);
}

bool has_more_rights_than_caller() { return getauxval(AT_SECURE) != 0; }

void die(const char* what, const char* detail) {
  warn(what, detail);
  for (;;) raw_syscall(SYS_exit_group, 2);
}

void check_failed(const char* what) {
  warn("internal error: ", what);
  __builtin_trap();
}

void* map_pages(std::size_t bytes) {
  const long result = map(0, bytes, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1);
  if (failed(result)) die("out of memory in the runtime");
  return reinterpret_cast<void*>(result);
}

bool map_fixed(std::uint64_t address, std::size_t bytes) {
  const long result =
      map(address, bytes, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1);
  if (failed(result)) return false;
  if (static_cast<std::uint64_t>(result) != address) {  // a kernel that takes it as a hint
    raw_syscall(SYS_munmap, result, static_cast<long>(bytes));
    return false;
  }
  raw_syscall(SYS_madvise, result, static_cast<long>(bytes), MADV_DONTDUMP);
  raw_syscall(SYS_madvise, result, static_cast<long>(bytes), MADV_NOHUGEPAGE);
  return true;
}

bool is_mapped(std::uint64_t page) {
  unsigned char resident;
  return raw_syscall(SYS_mincore, static_cast<long>(page), 1, reinterpret_cast<long>(&resident)) ==
         0;
}

void* map_shared(int fd, std::size_t bytes) {
  const long result = map(0, bytes, MAP_SHARED, fd);
  return failed(result) ? nullptr : reinterpret_cast<void*>(result);
}

void release_pages(std::uint64_t address, std::size_t bytes) {
  raw_syscall(SYS_madvise, static_cast<long>(address), static_cast<long>(bytes), MADV_DONTNEED);
}

void* remap(void* at, std::size_t old, std::size_t bytes, int flags, void* to) {
  const long result = raw_syscall(SYS_mremap, reinterpret_cast<long>(at), static_cast<long>(old),
                                  static_cast<long>(bytes), flags, reinterpret_cast<long>(to));
  if (!failed(result)) return reinterpret_cast<void*>(result);
  errno = static_cast<int>(-result);
  return MAP_FAILED;
}

std::uint64_t lowest_resident(std::uint64_t low, std::uint64_t high) {
  constexpr std::uint64_t kPage = 4096;
  unsigned char resident[1024];
  for (std::uint64_t at = low; at < high; at += sizeof resident * kPage) {
    const std::uint64_t end =
        high - at < sizeof resident * kPage ? high : at + sizeof resident * kPage;
    if (raw_syscall(SYS_mincore, static_cast<long>(at), static_cast<long>(end - at),
                    reinterpret_cast<long>(resident)) != 0) {
      return low;
    }
    for (std::uint64_t i = 0; i < (end - at) / kPage; ++i) {
      if (resident[i] & 1) return at + i * kPage;
    }
  }
  return high;
}

std::int64_t file_size(int fd) {
  struct stat info;
  const long result = raw_syscall(SYS_fstat, fd, reinterpret_cast<long>(&info));
  return result < 0 ? result : info.st_size;
}

bool is_own_sealed_memory(int fd) {
  constexpr long kSealed = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL;
  const long seals = raw_syscall(SYS_fcntl, fd, F_GET_SEALS);
  if (seals < 0 || (seals & kSealed) != kSealed) return false;
  struct stat info;
  if (raw_syscall(SYS_fstat, fd, reinterpret_cast<long>(&info)) != 0) return false;
  return info.st_uid == 0 || info.st_uid == static_cast<uid_t>(raw_syscall(SYS_geteuid));
}

void close_descriptor(int fd) { raw_syscall(SYS_close, fd); }

std::uint32_t thread_id() { return static_cast<std::uint32_t>(raw_syscall(SYS_gettid)); }
std::uint32_t process_id() { return static_cast<std::uint32_t>(raw_syscall(SYS_getpid)); }
void yield_cpu() { raw_syscall(SYS_sched_yield); }

std::uint64_t microseconds_now() {
  timespec now;
  raw_syscall(SYS_clock_gettime, CLOCK_MONOTONIC, reinterpret_cast<long>(&now));
  return static_cast<std::uint64_t>(now.tv_sec) * 1000000 +
         static_cast<std::uint64_t>(now.tv_nsec) / 1000;
}

void sleep_microseconds(std::uint32_t microseconds) {
  timespec time{0, static_cast<long>(microseconds) * 1000};
  raw_syscall(SYS_nanosleep, reinterpret_cast<long>(&time), 0);
}

void futex_wait(std::atomic<std::uint32_t>& word, std::uint32_t expected,
                std::uint32_t milliseconds) {
  timespec timeout{milliseconds / 1000, static_cast<long>(milliseconds % 1000) * 1000000};
  raw_syscall(SYS_futex, reinterpret_cast<long>(&word), FUTEX_WAIT, expected,
              reinterpret_cast<long>(&timeout));
}

void futex_wake(std::atomic<std::uint32_t>& word) {
  raw_syscall(SYS_futex, reinterpret_cast<long>(&word), FUTEX_WAKE, 0x7fffffff);
}

void own_futex_wait(std::atomic<std::uint32_t>& word, std::uint32_t expected,
                    std::uint32_t milliseconds) {
  timespec timeout{milliseconds / 1000, static_cast<long>(milliseconds % 1000) * 1000000};
  raw_syscall(SYS_futex, reinterpret_cast<long>(&word), FUTEX_WAIT_PRIVATE, expected,
              reinterpret_cast<long>(&timeout));
}

void own_futex_wake(std::atomic<std::uint32_t>& word) {
  raw_syscall(SYS_futex, reinterpret_cast<long>(&word), FUTEX_WAKE_PRIVATE, 1);
}

namespace {

// The letter in a file "stat" of /proc that says what the process or thread does; 0: not known.
char state_of(const char* folder, std::uint32_t id) {
  char path[64];
  std::size_t n = 0;
  char digits[12];
  int count = 0;
  for (std::uint32_t rest = id; rest != 0; rest /= 10)
    digits[count++] = static_cast<char>('0' + rest % 10);
  for (; folder[n] != 0; ++n) path[n] = folder[n];
  while (count > 0) path[n++] = digits[--count];
  for (const char* tail = "/stat"; *tail != 0; ++tail) path[n++] = *tail;
  path[n] = 0;
  const long fd =
      raw_syscall(SYS_openat, AT_FDCWD, reinterpret_cast<long>(path), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return 0;
  char text[512];
  const long size = raw_syscall(SYS_read, fd, reinterpret_cast<long>(text), sizeof text);
  raw_syscall(SYS_close, fd);
  long state = size;  // behind the last parenthesis: the name may hold any character
  for (long i = 0; i + 2 < size; ++i) {
    if (text[i] == ')') state = i + 2;
  }
  return state < size ? text[state] : 0;
}

}  // namespace

// A zombie, a process that has ended and was not waited for yet, still takes signals.
bool process_alive(std::uint32_t pid) {
  if (raw_syscall(SYS_kill, pid, 0) == -ESRCH) return false;
  const char state = state_of("/proc/", pid);
  return state != 'Z' && state != 'X';  // no /proc: believe the signal
}

bool thread_sleeps(std::uint32_t tid) {
  const char state = state_of("/proc/self/task/", tid);
  return state == 'S' || state == 'D';
}

bool register_membarrier() {
  const long global = raw_syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_GLOBAL_EXPEDITED, 0);
  return global == 0;
}

void exit_at_once(int status) {
  for (;;) raw_syscall(SYS_exit_group, status);
}

void stop_process(std::uint32_t pid) { raw_syscall(SYS_tgkill, pid, thread_id(), SIGSTOP); }

bool thread_exists(std::uint32_t pid, std::uint32_t tid) {
  return raw_syscall(SYS_tgkill, pid, tid, 0) == 0;
}

bool descriptor_is_ready(int fd, short events) {
  pollfd one{fd, events, 0};
  timespec no_time{0, 0};
  return raw_syscall(SYS_ppoll, reinterpret_cast<long>(&one), 1, reinterpret_cast<long>(&no_time),
                     0, 0) > 0;
}

void queue_signal(std::uint32_t pid, std::uint32_t tid, int signal, void* info) {
  raw_syscall(SYS_rt_tgsigqueueinfo, pid, tid, signal, reinterpret_cast<long>(info));
}

std::uint64_t set_signal_mask(std::uint64_t mask) {
  std::uint64_t before = 0;
  raw_syscall(SYS_rt_sigprocmask, SIG_SETMASK, reinterpret_cast<long>(&mask),
              reinterpret_cast<long>(&before), sizeof mask);
  return before;
}

void unblock_signal(int signal) {
  const std::uint64_t mask = std::uint64_t{1} << (signal - 1);
  raw_syscall(SYS_rt_sigprocmask, SIG_UNBLOCK, reinterpret_cast<long>(&mask), 0, sizeof mask);
}

void* top_of_free_signal_stack() {
  stack_t stack{};
  raw_syscall(SYS_sigaltstack, 0, reinterpret_cast<long>(&stack));
  const bool free = (stack.ss_flags & (SS_DISABLE | SS_ONSTACK)) == 0 && stack.ss_sp != nullptr;
  return free ? static_cast<char*>(stack.ss_sp) + stack.ss_size : nullptr;
}

void for_each_mapping(void (*f)(std::uint64_t begin, std::uint64_t end)) {
  const long fd = raw_syscall(SYS_openat, AT_FDCWD, reinterpret_cast<long>("/proc/self/maps"),
                              O_RDONLY | O_CLOEXEC);
  if (fd < 0) return;
  char buffer[4096];
  std::uint64_t number[2] = {0, 0};
  int field = 0;  // 0: begin, 1: end, 2: the rest of the line
  for (;;) {
    const long n = raw_syscall(SYS_read, fd, reinterpret_cast<long>(buffer), sizeof buffer);
    if (n <= 0) break;
    for (long i = 0; i < n; ++i) {
      const char c = buffer[i];
      if (c == '\n') {
        number[0] = number[1] = 0;
        field = 0;
      } else if (field == 2) {
        continue;
      } else if (c == '-') {
        field = 1;
      } else if (c == ' ') {
        f(number[0], number[1]);
        field = 2;
      } else {
        number[field] =
            number[field] * 16 + static_cast<std::uint64_t>(c <= '9' ? c - '0' : c - 'a' + 10);
      }
    }
  }
  raw_syscall(SYS_close, fd);
}

}  // namespace isosan::rt
