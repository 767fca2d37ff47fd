// fork, dlopen, raw system calls that block. A forked child runs on unobserved: it has none of the
// other threads, and the log is its parent's.
#include <errno.h>
#include <linux/futex.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdarg>

#include "runtime/calls/call_stack.h"
#include "runtime/front/intercept/intercept.h"
#include "runtime/front/modules.h"
#include "runtime/platform/jump.h"
#include "runtime/schedule/schedule.h"
#include "runtime/schedule/timing.h"

using namespace isosan::rt;

ISOSAN_EXPORT void* dlopen(const char* path, int flags) {
  Thread* t = observed();
  void* handle = real.dlopen(path, flags);  // its constructors run instrumented code
  if (t != nullptr && handle != nullptr) {
    RuntimeScope scope(t);
    BlockedScope blocked(t);
    announce_loaded_modules();
  }
  return handle;
}

// A child that shares its parent's memory would write its parent's log. So vfork makes an ordinary
// child.
ISOSAN_EXPORT pid_t vfork() noexcept { return fork(); }

namespace isosan::rt {
namespace {

// Waiting and waking by futex where one thread runs at a time. False: not one of those calls.
bool futex_in_turn(Thread& t, const long* a, long& result) {
  const long operation = a[1] & FUTEX_CMD_MASK;
  const auto address = static_cast<std::uint64_t>(a[0]);
  if (operation == FUTEX_WAKE || operation == FUTEX_WAKE_BITSET) {
    result = wake(address, static_cast<std::uint32_t>(a[2]));
    return true;
  }
  if (operation != FUTEX_WAIT && operation != FUTEX_WAIT_BITSET) return false;
  point(t);
  result = 0;
  if (*reinterpret_cast<volatile std::uint32_t*>(a[0]) != static_cast<std::uint32_t>(a[2])) {
    errno = EAGAIN;
    result = -1;
    return true;
  }
  const auto* time = reinterpret_cast<const timespec*>(a[3]);
  const bool real_time = (a[1] & FUTEX_CLOCK_REALTIME) != 0;
  const std::uint64_t nanoseconds =
      time == nullptr           ? kForEver
      : operation == FUTEX_WAIT ? nanoseconds_of(time->tv_sec, time->tv_nsec)
                                : time_until(real_time ? CLOCK_REALTIME : CLOCK_MONOTONIC, time);
  if (!wait_for(t, log::Waits::kFutex, address, nanoseconds)) {
    errno = ETIMEDOUT;
    result = -1;
  }
  return true;
}

}  // namespace
}  // namespace isosan::rt

ISOSAN_EXPORT long syscall(long number, ...) noexcept {
  va_list rest;
  va_start(rest, number);
  long a[6];
  for (long& argument : a) argument = va_arg(rest, long);
  va_end(rest);
  if (number == SYS_futex && g_serialized) {
    Thread* mine = observed();
    long result;
    RuntimeScope scope(mine);
    if (serialized(mine) && futex_in_turn(*mine, a, result)) return result;
  }
  Thread* t = number == SYS_futex && (a[1] & FUTEX_CMD_MASK) != FUTEX_WAKE ? observed() : nullptr;
  if (real.syscall == nullptr) resolve_real_functions();
  RuntimeScope scope(t);
  BlockedScope blocked(t);
  return real.syscall(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

namespace isosan::rt {
namespace {

// Who ended the program tells which regions it broke off.
void note_abort() {
  Thread* t = observed();
  std::uint32_t nobody = 0;
  if (t != nullptr) g_log.header->aborting_thread.compare_exchange_strong(nobody, t->id + 1);
  if (real.abort == nullptr) resolve_real_functions();
}

}  // namespace
}  // namespace isosan::rt

ISOSAN_EXPORT [[noreturn]] void abort() noexcept {
  note_abort();
  real.abort();
  __builtin_unreachable();
}
ISOSAN_EXPORT [[noreturn]] void __assert_fail(const char* what, const char* file, unsigned line,
                                              const char* function) noexcept {
  note_abort();
  real.__assert_fail(what, file, line, function);
  __builtin_unreachable();
}

// The calls that longjmp skips are left. (On a stack of the program's own, sigaltstack or ucontext,
// the comparison of stack pointers means nothing: then the function that called setjmp closes
// them.)
#define JUMP(name)                                                \
  ISOSAN_EXPORT [[noreturn]] void name(void* buffer, int value) { \
    if (Thread* t = observed()) {                                 \
      RuntimeScope scope(t);                                      \
      leave_frames_below(*t, jump_target(buffer));                \
    }                                                             \
    real.name(buffer, value);                                     \
    __builtin_unreachable();                                      \
  }
JUMP(longjmp)
JUMP(_longjmp)
JUMP(siglongjmp)
JUMP(__longjmp_chk)

namespace isosan::rt {
namespace {

// A child gets the mask of its parent: that of the program.
void before_fork() {
  Thread* t = observed_if_started();
  if (t == nullptr) return;
  RuntimeScope scope(t);
  poll(*t);
  g_log.header->children.fetch_add(1, std::memory_order_relaxed);
}

struct Child {
  int (*f)(void*);
  void* argument;
};
int run_child(void* child) {
  end_observation();
  const auto [f, argument] = *static_cast<Child*>(child);
  return f(argument);
}

}  // namespace

void start_process_support() {
  learn_jump_key();
  pthread_atfork(before_fork, nullptr, end_observation);
}

}  // namespace isosan::rt

// A child with a copy of the memory is one as after fork, but no handler of pthread_atfork runs.
ISOSAN_EXPORT int clone(int (*f)(void*), void* stack, int flags, void* argument, ...) noexcept {
  va_list rest;
  va_start(rest, argument);
  auto* parent = va_arg(rest, pid_t*);
  void* tls = va_arg(rest, void*);
  auto* child = va_arg(rest, pid_t*);
  va_end(rest);
  if (observed() == nullptr || (flags & CLONE_VM) != 0)
    return real.clone(f, stack, flags, argument, parent, tls, child);
  before_fork();
  Child copied{f, argument};
  return real.clone(run_child, stack, flags, &copied, parent, tls, child);
}
