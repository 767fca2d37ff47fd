// Signals that have to wait are delivered by the runtime's request signal, so it must not be blocked
// where the frame of one lies on that of a request, or inside the program's handler of its number.
// The program's signals queue, so that none is lost while another one waits.
// RUN: %cxx %s -o %t
// RUN: %isosan run -- %t 2>&1 | FileCheck %s
// CHECK: on top of a request: 5 handled, requests open: yes
// CHECK: in a handler on top of a request: 3 handled, requests open: yes
// CHECK: in a handler of its number: 3 handled, requests open: yes
// CHECK: where the program blocks them past libc: 3 handled, requests open: yes
#include <pthread.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdio>

namespace {

constexpr int kRequestCode = -0x150;

volatile sig_atomic_t handled;
long x;

[[gnu::noinline]] void touch() { x = x + 1; }

const int kFirst = SIGRTMIN, kSecond = SIGRTMIN + 1;

// The call lies in this program's code, so that a signal that ends it comes at a bad moment.
[[gnu::always_inline]] inline long call_kernel(long number, long a, long b, long c, long d = 0) {
#ifdef __x86_64__
  register long fourth asm("r10") = d;
  long result;
  asm volatile("syscall"
               : "=a"(result)
               : "a"(number), "D"(a), "S"(b), "d"(c), "r"(fourth)
               : "rcx", "r11", "memory");
  return result;
#else
  register long call asm("x8") = number;
  register long first asm("x0") = a;
  register long second asm("x1") = b;
  register long third asm("x2") = c;
  register long fourth asm("x3") = d;
  asm volatile("svc #0"
               : "+r"(first)
               : "r"(call), "r"(second), "r"(third), "r"(fourth)
               : "memory");
  return first;
#endif
}

[[gnu::always_inline]] inline void signal_thrice(int signal) {
  const long process = getpid(), thread = gettid();
  for (int i = 0; i < 3; ++i) {
    call_kernel(SYS_tgkill, process, thread, signal);
    touch();
  }
  pthread_sigmask(SIG_BLOCK, nullptr, nullptr);  // what waits comes now
}

bool requests_open() {
  unsigned long mask = 0;
  syscall(SYS_rt_sigprocmask, SIG_BLOCK, nullptr, &mask, sizeof mask);
  return (mask & 1UL << (SIGURG - 1)) == 0;
}

void count(int) { handled = handled + 1; }

void report(const char* where, bool open) {
  printf("%s: %d handled, requests open: %s\n", where, static_cast<int>(handled),
         open ? "yes" : "no");
  fflush(stdout);
  handled = 0;
}

// The kernel makes the frame of the lower number first, so the other one lies on top.
[[gnu::always_inline]] inline void on_top_of_request(bool at_once) {
  const long process = getpid(), thread = gettid();
  unsigned long both = 1UL << (SIGURG - 1) | 1UL << (kFirst - 1);
  unsigned long before = 0;
  siginfo_t request{};
  request.si_signo = SIGURG;
  request.si_code = kRequestCode;
  syscall(SYS_rt_sigprocmask, SIG_BLOCK, &both, &before, sizeof before);
  syscall(SYS_rt_tgsigqueueinfo, process, thread, SIGURG, &request);
  syscall(SYS_tgkill, process, thread, kFirst);
  const long to = reinterpret_cast<long>(&before);
  if (at_once) {
    syscall(SYS_rt_sigprocmask, SIG_SETMASK, to, 0, sizeof before);
  } else {
    call_kernel(SYS_rt_sigprocmask, SIG_SETMASK, to, 0, sizeof before);
    call_kernel(SYS_tgkill, process, thread, kFirst);  // the mask of the wait comes with this one
  }
}

bool was_open;

void in_handler(int) {
  signal_thrice(kSecond);
  was_open = requests_open();
}

// As a library may that does not call libc for it.
void past_libc() {
  const unsigned long mask = 1UL << (SIGURG - 1);
  syscall(SYS_rt_sigprocmask, SIG_BLOCK, &mask, nullptr, sizeof mask);
  signal_thrice(kSecond);
  report("where the program blocks them past libc", requests_open());
}

}  // namespace

int main() {
  touch();
  signal(kSecond, count);
  signal(kFirst, count);
  on_top_of_request(false);
  signal_thrice(kFirst);
  report("on top of a request", requests_open());
  signal(kFirst, in_handler);
  on_top_of_request(true);
  report("in a handler on top of a request", was_open);
  signal(SIGURG, in_handler);
  kill(getpid(), SIGURG);
  report("in a handler of its number", was_open);
  past_libc();
}
