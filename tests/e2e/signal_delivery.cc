// Signals that come while the thread is in instrumented code, or in the runtime, are delivered as
// the kernel would: mask, flags, alternate stack, siginfo_t, queue and order. Another process sends
// them and the thread does nothing but work meanwhile, so that most come at a bad moment.
// RUN: %cxx %s -o %t
// RUN: %isosan run -- %t mask 2>&1 | FileCheck --check-prefix=MASK %s
// MASK: nested 0
// RUN: %isosan run -- %t queue 2>&1 | FileCheck --check-prefix=QUEUE %s
// QUEUE: 1000 arrived, 0 out of order, 0 without value
// RUN: %isosan run -- %t own-queue 2>&1 | FileCheck --check-prefix=QUEUE %s
// RUN: %isosan run -- %t blocked 2>&1 | FileCheck --check-prefix=BLOCKED %s
// BLOCKED: 0 while blocked
// RUN: %isosan run -- %t nodefer 2>&1 | FileCheck --check-prefix=NODEFER %s
// NODEFER: depth 3, mask kept: yes
// RUN: %isosan run -- %t reset 2>&1 | FileCheck --check-prefix=RESET %s
// RESET: handled 1, then default: yes
// RUN: %isosan run -- %t stack 2>&1 | FileCheck --check-prefix=STACK %s
// STACK: 200 on the alternate stack, 0 elsewhere
// RUN: %isosan run -- %t jump 2>&1 | FileCheck --check-prefix=JUMP %s
// JUMP: 200 jumps, mask as before: yes
// RUN: %isosan run -- %t wait 2>&1 | FileCheck --check-prefix=WAIT %s
// WAIT: sigwaitinfo 7, signalfd 8, sigtimedwait EAGAIN, sigsuspend EINTR
// WAIT: ppoll EINTR, pselect EINTR, epoll_pwait EINTR
// RUN: %isosan run -- %t restart 2>&1 | FileCheck --check-prefix=RESTART %s
// RESTART: SA_RESTART: read 1; without: EINTR
// RUN: %isosan run -- %t request 2>&1 | FileCheck --check-prefix=REQUEST %s
// REQUEST: ppoll 1
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

volatile sig_atomic_t entered, nested, inside, wrong_order, without_value, elsewhere;
volatile sig_atomic_t is_blocked, while_blocked;
long cells[64];

void work() {
  for (long& cell : cells) cell = cell + 1;
}

void handle(int signal, void (*handler)(int, siginfo_t*, void*), int flags, bool mask_all = false) {
  struct sigaction action {};
  action.sa_sigaction = handler;
  action.sa_flags = SA_SIGINFO | flags;
  if (mask_all) sigfillset(&action.sa_mask);
  sigaction(signal, &action, nullptr);
}

// A child that sends and ends; the parent works until the handler has run often enough.
template <class Send>
pid_t child(Send send) {
  const pid_t pid = fork();
  if (pid != 0) return pid;
  send(getppid());
  _exit(0);
}

void finish(pid_t pid) {
  while (waitpid(pid, nullptr, 0) < 0 && errno == EINTR) {
  }
}

void on_masked(int, siginfo_t*, void*) {
  if (inside) nested = nested + 1;
  inside = 1;
  for (int i = 0; i < 20; ++i) work();
  inside = 0;
  entered = entered + 1;
}

void mask() {
  for (int signal : {SIGUSR1, SIGUSR2, SIGALRM, SIGRTMIN})
    handle(signal, on_masked, SA_RESTART, true);
  const pid_t pid = child([](pid_t parent) {
    for (int i = 0; i < 500; ++i) {
      for (int signal : {SIGUSR1, SIGUSR2, SIGALRM}) kill(parent, signal);
      sigqueue(parent, SIGRTMIN, {});
    }
  });
  while (entered < 500) work();
  finish(pid);
  std::printf("nested %d\n", static_cast<int>(nested));
}

void on_queued(int, siginfo_t* info, void*) {
  if (info->si_code != SI_QUEUE) without_value = without_value + 1;
  if (info->si_value.sival_int != entered) wrong_order = wrong_order + 1;
  entered = entered + 1;
  work();
}

void told_queue() {
  std::printf("%d arrived, %d out of order, %d without value\n", static_cast<int>(entered),
              static_cast<int>(wrong_order), static_cast<int>(without_value));
}

void queue() {
  handle(SIGRTMIN + 1, on_queued, SA_RESTART);
  const pid_t pid = child([](pid_t parent) {
    for (int i = 0; i < 1000; ++i) sigqueue(parent, SIGRTMIN + 1, {.sival_int = i});
  });
  while (entered < 1000) work();
  finish(pid);
  told_queue();
}

void own_queue() {
  handle(SIGRTMIN + 1, on_queued, SA_RESTART);
  pthread_t self = pthread_self();
  pthread_t sender;
  pthread_create(
      &sender, nullptr,
      [](void* to) -> void* {
        sigset_t all;
        sigfillset(&all);
        pthread_sigmask(SIG_BLOCK, &all, nullptr);
        for (int i = 0; i < 1000; ++i) {
          pthread_sigqueue(*static_cast<pthread_t*>(to), SIGRTMIN + 1, {.sival_int = i});
        }
        return nullptr;
      },
      &self);
  while (entered < 1000) work();
  pthread_join(sender, nullptr);
  told_queue();
}

void on_maybe_blocked(int, siginfo_t*, void*) {
  if (is_blocked) while_blocked = while_blocked + 1;
  entered = entered + 1;
}

void blocked() {
  handle(SIGUSR1, on_maybe_blocked, SA_RESTART);
  sigset_t one;
  sigemptyset(&one);
  sigaddset(&one, SIGUSR1);
  const pid_t pid = child([](pid_t parent) {
    for (int i = 0; i < 20000; ++i) kill(parent, SIGUSR1);
  });
  for (bool more = true; more;) {
    pthread_sigmask(SIG_BLOCK, &one, nullptr);
    is_blocked = 1;
    work();
    sigset_t now;
    pthread_sigmask(SIG_BLOCK, nullptr, &now);
    if (!sigismember(&now, SIGUSR1) || sigismember(&now, SIGUSR2)) std::puts("the mask is another");
    is_blocked = 0;
    pthread_sigmask(SIG_UNBLOCK, &one, nullptr);
    work();
    more = waitpid(pid, nullptr, WNOHANG) == 0;
  }
  std::printf("%d while blocked\n", static_cast<int>(while_blocked));
}

bool mask_kept = true;
void on_nested(int, siginfo_t*, void* context) {
  sigset_t now;
  pthread_sigmask(SIG_BLOCK, nullptr, &now);
  if (sigismember(&now, SIGUSR1) || !sigismember(&now, SIGUSR2)) mask_kept = false;
  if (context == nullptr || sigismember(&static_cast<ucontext_t*>(context)->uc_sigmask, SIGALRM)) {
    mask_kept = false;
  }
  inside = inside + 1;
  entered = inside > entered ? inside : entered;
  work();
  if (inside < 3) raise(SIGUSR1);
  inside = inside - 1;
}

void nodefer() {
  struct sigaction action {};
  action.sa_sigaction = on_nested;
  action.sa_flags = SA_SIGINFO | SA_NODEFER;
  sigaddset(&action.sa_mask, SIGUSR2);
  sigaction(SIGUSR1, &action, nullptr);
  for (int i = 0; i < 200; ++i) {
    entered = 0;
    const pid_t pid = child([](pid_t parent) { kill(parent, SIGUSR1); });
    while (entered < 3) work();
    finish(pid);
  }
  std::printf("depth %d, mask kept: %s\n", static_cast<int>(entered), mask_kept ? "yes" : "no");
}

void on_once(int, siginfo_t*, void*) { entered = entered + 1; }

void reset() {
  handle(SIGUSR1, on_once, static_cast<int>(SA_RESETHAND));
  const pid_t pid = child([](pid_t parent) { kill(parent, SIGUSR1); });
  while (entered < 1) work();
  finish(pid);
  struct sigaction now {};
  sigaction(SIGUSR1, nullptr, &now);
  const pid_t other = fork();
  if (other == 0) {
    raise(SIGUSR1);
    _exit(0);
  }
  int status = 0;
  waitpid(other, &status, 0);
  const bool died = WIFSIGNALED(status) && WTERMSIG(status) == SIGUSR1;
  std::printf("handled %d, then default: %s\n", static_cast<int>(entered),
              died && now.sa_handler == SIG_DFL ? "yes" : "no");
}

char alternate[1 << 16];
void on_stack(int, siginfo_t*, void*) {
  char here;
  const auto at = reinterpret_cast<std::uintptr_t>(&here);
  const auto low = reinterpret_cast<std::uintptr_t>(alternate);
  if (at < low || at >= low + sizeof alternate) elsewhere = elsewhere + 1;
  work();
  entered = entered + 1;
}

void stack() {
  stack_t own{};
  own.ss_sp = alternate;
  own.ss_size = sizeof alternate;
  sigaltstack(&own, nullptr);
  handle(SIGUSR1, on_stack, SA_ONSTACK);
  for (int i = 0; i < 200; ++i) {
    const pid_t pid = child([](pid_t parent) { kill(parent, SIGUSR1); });
    while (entered <= i) work();
    finish(pid);
  }
  std::printf("%d on the alternate stack, %d elsewhere\n", static_cast<int>(entered - elsewhere),
              static_cast<int>(elsewhere));
}

sigjmp_buf back;
void on_jump(int, siginfo_t*, void*) { siglongjmp(back, 1); }

void jump() {
  handle(SIGUSR1, on_jump, 0);
  volatile int jumps = 0;
  volatile bool as_before = true;
  while (jumps < 200) {
    if (sigsetjmp(back, 1) != 0) {
      jumps = jumps + 1;
      sigset_t now;
      pthread_sigmask(SIG_BLOCK, nullptr, &now);
      if (sigismember(&now, SIGUSR1) || sigismember(&now, SIGALRM)) as_before = false;
      while (waitpid(-1, nullptr, 0) > 0) {
      }
      continue;
    }
    child([](pid_t parent) { kill(parent, SIGUSR1); });
    for (;;) work();
  }
  std::printf("%d jumps, mask as before: %s\n", jumps, as_before ? "yes" : "no");
}

const char* told(long result, int error) {
  return result >= 0 ? "no error" : error == EINTR ? "EINTR" : error == EAGAIN ? "EAGAIN" : "other";
}

// Pending when the call begins: it ends at once, with the handler run.
template <class Call>
const char* interrupted(Call call) {
  sigset_t none;
  sigemptyset(&none);
  entered = 0;
  raise(SIGUSR2);
  errno = 0;
  const long result = call(&none);
  return entered == 1 ? told(result, errno) : "no handler";
}

void wait() {
  handle(SIGUSR2, on_once, SA_RESTART);
  sigset_t set;
  sigemptyset(&set);
  for (int signal : {SIGRTMIN, SIGRTMIN + 1, SIGUSR1, SIGUSR2}) sigaddset(&set, signal);
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
  sigqueue(getpid(), SIGRTMIN, {.sival_int = 7});
  siginfo_t info{};
  sigdelset(&set, SIGUSR2);
  sigwaitinfo(&set, &info);
  std::printf("sigwaitinfo %d, ", info.si_value.sival_int);
  const int fd = signalfd(-1, &set, 0);
  sigqueue(getpid(), SIGRTMIN + 1, {.sival_int = 8});
  signalfd_siginfo read_info{};
  if (read(fd, &read_info, sizeof read_info) != sizeof read_info) return;
  std::printf("signalfd %d, ", read_info.ssi_int);
  const timespec soon{0, 1000};
  const int timed = sigtimedwait(&set, &info, &soon);
  std::printf("sigtimedwait %s, ", told(timed, errno));
  std::printf("sigsuspend %s\n", interrupted([](sigset_t* none) { return sigsuspend(none); }));
  std::printf("ppoll %s, ",
              interrupted([](sigset_t* none) { return ppoll(nullptr, 0, nullptr, none); }));
  std::printf("pselect %s, ", interrupted([](sigset_t* none) {
                return pselect(0, nullptr, nullptr, nullptr, nullptr, none);
              }));
  const int poller = epoll_create1(0);
  std::printf("epoll_pwait %s\n", interrupted([&](sigset_t* none) {
                epoll_event event{};
                return epoll_pwait(poller, &event, 1, -1, none);
              }));
}

// What the kernel tells of another process.
template <class Found>
void await_line(pid_t of, const char* file, Found found) {
  char path[64], line[256];
  std::snprintf(path, sizeof path, "/proc/%d/%s", of, file);
  for (bool seen = false; !seen;) {
    std::FILE* lines = std::fopen(path, "r");
    if (lines == nullptr) _exit(1);
    while (!seen && std::fgets(line, sizeof line, lines) != nullptr) seen = found(line);
    std::fclose(lines);
  }
}
void await_call(pid_t of, long number) {
  await_line(of, "syscall", [&](const char* line) {
    return line[0] != 'r' && std::strtol(line, nullptr, 10) == number;
  });
}

void signal_when_waiting(pid_t parent) {
  await_call(parent, SYS_read);
  kill(parent, SIGUSR1);
}

// The signal by which the runtime asks a thread for something is not seen by the program.
void request() {
  int ends[2];
  if (pipe(ends) != 0) return;
  const pid_t pid = child([&](pid_t parent) {
    siginfo_t info{};
    info.si_code = -0x150;
    await_call(parent, SYS_ppoll);
    syscall(SYS_rt_tgsigqueueinfo, parent, parent, SIGURG, &info);
    await_line(parent, "status", [](const char* line) {
      return std::strncmp(line, "SigPnd:", 7) == 0 && std::strtoull(line + 7, nullptr, 16) == 0;
    });
    await_call(parent, SYS_ppoll);
    if (write(ends[1], ends, 1) != 1) _exit(1);
  });
  pollfd one{ends[0], POLLIN, 0};
  const int ready = ppoll(&one, 1, nullptr, nullptr);
  if (ready != 1) kill(pid, SIGKILL);
  finish(pid);
  std::printf("ppoll %d\n", ready);
}

void restart() {
  int ends[2];
  if (pipe(ends) != 0) return;
  char byte = 1;
  handle(
      SIGUSR1, [](int, siginfo_t*, void*) { entered = entered + 1; }, SA_RESTART);
  pid_t pid = child([&](pid_t parent) {
    signal_when_waiting(parent);
    if (write(ends[1], &byte, 1) != 1) _exit(1);
  });
  const long restarted = read(ends[0], &byte, 1);
  finish(pid);
  handle(
      SIGUSR1, [](int, siginfo_t*, void*) { entered = entered + 1; }, 0);
  pid = child([&](pid_t parent) { signal_when_waiting(parent); });
  const long broken = read(ends[0], &byte, 1);
  const int error = errno;
  finish(pid);
  std::printf("SA_RESTART: read %ld; without: %s\n", restarted, told(broken, error));
}

const struct {
  const char* name;
  void (*run)();
} cases[] = {{"mask", mask},       {"queue", queue},     {"own-queue", own_queue},
             {"blocked", blocked}, {"nodefer", nodefer}, {"reset", reset},
             {"stack", stack},     {"jump", jump},       {"wait", wait},
             {"restart", restart}, {"request", request}};

}  // namespace

int main(int, char** argv) {
  for (const auto& one : cases) {
    if (std::strcmp(one.name, argv[1]) == 0) one.run();
  }
}
