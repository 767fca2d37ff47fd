// Signals. A handler of the program must not run between a check and its access, nor inside the
// runtime: there it waits until the thread's next poll (deferred_signals.h). It runs at once where
// the thread is blocked or in uninstrumented code, and for faults of the thread itself. The
// program's mask and the flags of each action are given to the kernel.
//
// Where the shadow is by need (shadow/shadow.h), a fault in it is answered here before the program
// knows. So SIGSEGV has this handler always, and nothing blocks it.
//
// SIGURG is also the request signal of coordinate.h. Its default action is to ignore it, so a stray
// one has no effect.
#include <errno.h>
#include <signal.h>

#include "runtime/front/intercept/deferred_signals.h"
#include "runtime/front/intercept/intercept.h"
#include "runtime/front/intercept/signal_order.h"
#include "runtime/front/modules.h"
#include "runtime/platform/arch.h"
#include "runtime/platform/os.h"
#include "runtime/platform/spin_lock.h"
#include "runtime/schedule/world.h"
#include "runtime/shadow/shadow.h"

namespace isosan::rt {

constexpr int kSignals = 65;

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

// The kernel has reset the action by now, if that was asked for.
Arrival arrival_of(int signal, const siginfo_t& info) {
  const Arrival arrival{signal, info, program_action[signal]};
  if ((static_cast<unsigned>(arrival.action.sa_flags) & SA_RESETHAND) != 0) {
    program_action[signal].sa_handler = SIG_DFL;
  }
  return arrival;
}

// The si_code that distinguishes the runtime's requests from signals that the program sends.
constexpr int kRequestCode = -0x150;
bool is_request(int signal, const siginfo_t& info) {
  return signal == request_signal() && info.si_code == kRequestCode;
}

// After so many signals without a poll, the running code is not the pass's: it was only linked into
// the same module.
constexpr std::uint32_t kOtherCode = 64;

void answer_request(Thread* t, std::uint64_t pc) {
  if (t == nullptr || t->in_runtime > 0 || t->blocked) return;  // it polls, or need not
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
}

bool is_fault_in_shadow(int signal, const siginfo_t& info) {
  return signal == SIGSEGV && info.si_code == SEGV_MAPERR &&
         map_touched_shadow(reinterpret_cast<std::uint64_t>(info.si_addr));
}

// A fault cannot be ignored, a signal that was sent can.
bool ends_program(const siginfo_t& info) {
  const struct sigaction& action = program_action[SIGSEGV];
  return action.sa_handler == SIG_DFL || (info.si_code > 0 && !is_handled(action));
}

// SIGSEGV as if there were no handler: the kernel ends the program when this one returns.
void end_by_fault(siginfo_t& info) {
  struct sigaction action {};
  action.sa_handler = SIG_DFL;
  real.sigaction(SIGSEGV, &action, nullptr);
  queue_signal(process_id(), thread_id(), SIGSEGV, &info);
}

void on_signal(int signal, siginfo_t* info, void* context) {
  const int error = errno;
  if (is_fault_in_shadow(signal, *info)) {
    errno = error;
    return;
  }
  if (signal == SIGSEGV && ends_program(*info)) return end_by_fault(*info);
  auto* frame = static_cast<ucontext_t*>(context);
  Thread* t = known_thread();
  if (signal == request_signal() && is_delivery(t)) deliver_kept_signal(*t, frame);
  if (is_request(signal, *info)) {
    if (t != nullptr) t->request_came = true;
    answer_request(t, interrupted_pc(frame));
    errno = error;
    return;
  }
  const bool bad_moment = t != nullptr && t->deferred != nullptr &&
                          is_bad_moment(*t, frame, reinterpret_cast<std::uint64_t>(on_signal));
  Arrival arrival = arrival_of(signal, *info);
  if (bad_moment && !is_fault(signal)) {
    keep_signal(*t, arrival, frame);
  } else {
    const SignalMask during = mask_of_handler(arrival, frame);
    run_handler(t, arrival, frame, blocks_requests(signal, frame) ? &during : nullptr);
    if (t != nullptr && !bad_moment) deliver_deferred_signals(*t);  // what came in between
  }
  errno = error;
}

// A thread that holds the lock of the actions gets no signal.
class SignalsOff {
 public:
  SignalsOff() : before_(set_signal_mask(~SignalMask{0})) {}
  ~SignalsOff() { set_signal_mask(before_); }
  SignalsOff(const SignalsOff&) = delete;
  SignalsOff& operator=(const SignalsOff&) = delete;

 private:
  const SignalMask before_;
};

// Signals of the runtime itself: nothing blocks them.
void keep_open(sigset_t& mask) {
  sigdelset(&mask, request_signal());
  if (shadow_is_by_need()) sigdelset(&mask, SIGSEGV);
}

int install(int signal, const struct sigaction* action, struct sigaction* old) {
  if (signal <= 0 || signal >= kSignals) return real.sigaction(signal, action, old);
  const SignalsOff off;
  SpinGuard guard(actions_lock);
  const struct sigaction before = program_action[signal];
  if (action != nullptr) {
    struct sigaction ours = *action;
    const bool of_shadow = signal == SIGSEGV && shadow_is_by_need();
    if (is_handled(*action) && !is_fault(signal)) asks_world(log::kSignals);
    if (is_handled(*action) || signal == request_signal() || of_shadow) {
      ours.sa_sigaction = on_signal;
      ours.sa_flags |= SA_SIGINFO;
    }
    if (of_shadow) ours.sa_flags |= SA_NODEFER;
    keep_open(ours.sa_mask);
    if (signal == request_signal() || of_shadow) ours.sa_flags &= static_cast<int>(~SA_RESETHAND);
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

bool program_handles_signals() {
  for (int signal = 1; signal < kSignals; ++signal) {
    if (!is_fault(signal) && is_handled(program_action[signal])) return true;
  }
  return false;
}

void send_request(std::uint32_t tid) {
  siginfo_t info{};
  info.si_signo = request_signal();
  info.si_code = kRequestCode;
  queue_signal(g_process_id, tid, request_signal(), &info);
}

namespace {

void read_actions() {
  for (int signal = 1; signal < kSignals; ++signal) {
    real.sigaction(signal, nullptr, &program_action[signal]);
  }
}

// Observed, or with faults of our own.
bool minds_signals() { return observed() != nullptr || g_observed.load() || shadow_is_by_need(); }

}  // namespace

void start_fault_support() {
  read_actions();
  install(SIGSEGV, &program_action[SIGSEGV], nullptr);
  sigset_t fault;
  sigemptyset(&fault);
  sigaddset(&fault, SIGSEGV);
  real.sigprocmask(SIG_UNBLOCK, &fault, nullptr);
}

void start_signals_support() {
  read_actions();
  struct sigaction action {};
  action.sa_sigaction = on_signal;
  action.sa_flags = SA_SIGINFO | SA_RESTART;
  real.sigaction(request_signal(), &action, nullptr);
}

}  // namespace isosan::rt

using namespace isosan::rt;

ISOSAN_EXPORT int sigaction(int signal, const struct sigaction* action,
                            struct sigaction* old) noexcept {
  if (!minds_signals()) return real.sigaction(signal, action, old);
  if (action != nullptr) before_signal(signal, ISOSAN_CALLER);
  return install(signal, action, old);
}

ISOSAN_EXPORT sighandler_t signal(int signal, sighandler_t handler) noexcept {
  if (!minds_signals()) return real.signal(signal, handler);
  before_signal(signal, ISOSAN_CALLER);
  struct sigaction action {};
  struct sigaction old {};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  return install(signal, &action, &old) == 0 ? old.sa_handler : SIG_ERR;
}

namespace isosan::rt {
namespace {

// No signal is kept while the mask changes. Threads that block all signals still answer requests:
// the runtime's request signal is never blocked.
template <class Real>
int change_mask(int how, const sigset_t* set, sigset_t* old, Real change) {
  Thread* t = observed();
  RuntimeScope scope(t);
  BlockedScope blocked(t);
  if (set == nullptr || how == SIG_UNBLOCK) return change(how, set, old);
  sigset_t open = *set;
  keep_open(open);
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
