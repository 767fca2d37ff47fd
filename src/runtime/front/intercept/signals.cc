// Signals. A handler of the program must not run between a check and its access, nor inside the
// runtime: there it waits until the thread's next poll. It runs at once where the thread is
// blocked, or in code that nobody instrumented, and for signals that the thread itself raised by a
// fault.
//
// SIGURG (ignored by default, so that sending it harms nobody) is also the signal of the last
// resort of coordinate.h.
#include <errno.h>
#include <signal.h>

#include "runtime/front/intercept/intercept.h"
#include "runtime/front/modules.h"
#include "runtime/platform/arch.h"
#include "runtime/platform/os.h"
#include "runtime/platform/pool.h"
#include "runtime/platform/spin_lock.h"

namespace isosan::rt {

constexpr int kSignals = 65;

struct DeferredSignal {
  std::uint64_t pending = 0;  // bit per signal
  siginfo_t info[kSignals] = {};
};

namespace {

struct sigaction program_action[kSignals];  // what the program believes to be installed
SpinLock actions_lock;

bool is_fault(int signal) {
  return signal == SIGSEGV || signal == SIGBUS || signal == SIGFPE || signal == SIGILL ||
         signal == SIGTRAP || signal == SIGSYS || signal == SIGABRT;
}

Thread* known_thread() {
  if (!g_observed.load(std::memory_order_relaxed)) return nullptr;
  return reinterpret_cast<Thread*>(__isosan_self->runtime);
}

void call_handler(int signal, siginfo_t* info, void* context) {
  const struct sigaction action = program_action[signal];
  if (action.sa_flags & SA_SIGINFO) {
    action.sa_sigaction(signal, info, context);
  } else if (action.sa_handler != SIG_DFL && action.sa_handler != SIG_IGN) {
    action.sa_handler(signal);
  }
}

// The thread goes on with instrumented code inside the handler, wherever it was.
void run_now(Thread* t, int signal, siginfo_t* info, void* context) {
  if (t == nullptr) {
    call_handler(signal, info, context);
    return;
  }
  const std::uint32_t in_runtime = t->in_runtime;
  const bool blocked = t->blocked;
  t->in_runtime = 0;
  t->blocked = false;
  if (blocked) leave_safe_point(*t);
  call_handler(signal, info, context);
  if (blocked) enter_safe_point(*t);
  t->blocked = blocked;
  t->in_runtime = in_runtime;
}

void defer(Thread& t, int signal, const siginfo_t& info) {
  t.deferred->info[signal] = info;
  t.deferred->pending |= std::uint64_t{1} << (signal - 1);
  t.block->poll.store(1, std::memory_order_relaxed);
}

// So many signals without a poll: what runs there was linked with the pass's code and is none of
// it.
constexpr std::uint32_t kOtherCode = 64;

// False: this was no request of ours.
bool answer_request(Thread* t, const siginfo_t& info, std::uint64_t pc) {
  if (info.si_code != SI_TKILL || info.si_pid != static_cast<pid_t>(g_process_id)) return false;
  if (t == nullptr || t->in_runtime > 0 || t->blocked) return true;  // it polls, or need not
  switch (front_of(pc)) {
    case ModuleFront::kNone:
      answer_from_signal(*t, true);
      break;
    case ModuleFront::kTsan:
      answer_from_signal(*t, false);
      break;
    case ModuleFront::kRuntime:  // in a check, maybe at work on a walk; its next check polls
      if (t->block->open_walks == 0) answer_from_signal(*t, false);
      break;
    case ModuleFront::kPass:  // it polls in every loop
      if (++t->refused_signals > kOtherCode) answer_from_signal(*t, true);
      break;
  }
  return true;
}

void on_signal(int signal, siginfo_t* info, void* context) {
  const int error = errno;
  Thread* t = known_thread();
  const std::uint64_t pc = interrupted_pc(static_cast<ucontext_t*>(context));
  if (signal == request_signal() && answer_request(t, *info, pc)) {
    errno = error;
    return;
  }
  const bool bad_moment =
      t != nullptr && !t->blocked && (t->in_runtime > 0 || front_of(pc) != ModuleFront::kNone);
  if (bad_moment && !is_fault(signal) && t->deferred != nullptr) {
    defer(*t, signal, *info);
  } else {
    run_now(t, signal, info, context);
  }
  errno = error;
}

int install(int signal, const struct sigaction* action, struct sigaction* old) {
  if (signal <= 0 || signal >= kSignals) return real.sigaction(signal, action, old);
  SpinGuard guard(actions_lock);
  const struct sigaction before = program_action[signal];
  if (action != nullptr) {
    struct sigaction ours = *action;
    const bool handled = (action->sa_flags & SA_SIGINFO) != 0 ||
                         (action->sa_handler != SIG_DFL && action->sa_handler != SIG_IGN);
    if (handled || signal == request_signal()) {
      ours.sa_sigaction = on_signal;
      ours.sa_flags |= SA_SIGINFO;
    }
    // The kernel runs the handler on this mask only where it is not deferred.
    program_action[signal] = *action;
    const int result = real.sigaction(signal, &ours, nullptr);
    if (result != 0) {
      program_action[signal] = before;
      return result;
    }
  }
  if (old != nullptr) *old = before;
  return 0;
}

}  // namespace

int request_signal() { return SIGURG; }

void deliver_deferred_signals(Thread& t) {
  if (t.deferred == nullptr) return;
  while (t.deferred->pending != 0) {
    const int signal = __builtin_ctzll(t.deferred->pending) + 1;
    siginfo_t info = t.deferred->info[signal];
    t.deferred->pending &= t.deferred->pending - 1;
    ucontext_t context{};
    run_now(&t, signal, &info, &context);
  }
}

void prepare_signals(Thread& t) {
  t.deferred = new (pool_allocate(sizeof(DeferredSignal))) DeferredSignal;
}
void drop_signals(Thread& t) {
  pool_free(t.deferred, sizeof(DeferredSignal));
  t.deferred = nullptr;
}

void start_signals_support() {
  for (int signal = 1; signal < kSignals; ++signal) {
    real.sigaction(signal, nullptr, &program_action[signal]);
  }
  struct sigaction action {};
  action.sa_sigaction = on_signal;
  action.sa_flags = SA_SIGINFO | SA_RESTART;
  real.sigaction(request_signal(), &action, nullptr);
}

}  // namespace isosan::rt

using namespace isosan::rt;

ISOSAN_EXPORT int sigaction(int signal, const struct sigaction* action,
                            struct sigaction* old) noexcept {
  if (observed() == nullptr && !g_observed.load()) return real.sigaction(signal, action, old);
  return install(signal, action, old);
}

ISOSAN_EXPORT sighandler_t signal(int signal, sighandler_t handler) noexcept {
  if (observed() == nullptr && !g_observed.load()) return real.signal(signal, handler);
  struct sigaction action {};
  struct sigaction old {};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  return install(signal, &action, &old) == 0 ? old.sa_handler : SIG_ERR;
}

namespace isosan::rt {
namespace {

// Threads that block all signals still answer requests: ours stays open.
template <class Real>
int change_mask(int how, const sigset_t* set, sigset_t* old, Real change) {
  observed();  // so that the real one is known
  if (set == nullptr || how == SIG_UNBLOCK) return change(how, set, old);
  sigset_t open = *set;
  sigdelset(&open, request_signal());
  return change(how, &open, old);
}

}  // namespace
}  // namespace isosan::rt

ISOSAN_EXPORT int sigprocmask(int how, const sigset_t* set, sigset_t* old) noexcept {
  return change_mask(how, set, old,
                     [](auto... arguments) { return real.sigprocmask(arguments...); });
}
ISOSAN_EXPORT int pthread_sigmask(int how, const sigset_t* set, sigset_t* old) noexcept {
  return change_mask(how, set, old,
                     [](auto... arguments) { return real.pthread_sigmask(arguments...); });
}
