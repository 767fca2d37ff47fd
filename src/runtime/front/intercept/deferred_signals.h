// A signal that reaches its thread at a bad moment: between a check and its access, or inside the
// runtime.
//
// The runtime keeps at most one such signal for each thread. Meanwhile the thread has all signals
// blocked except faults and the request signal. So the kernel keeps the signals that follow: queued
// and in order, and one of each kind that does not queue. At the next poll the thread sends itself
// the request signal. The kernel makes a frame for that signal, and in it the kept handler runs,
// with the mask, the alternate stack and the siginfo_t that it would have had. The return from the
// frame restores the mask that the program believes it has.
//
// Law: where a thread polls, the request signal is not blocked, or the delivery would never come. The
// kernel blocks it in its own frame, and so in a handler whose frame lies on top of that one.
//
// Law: code that reads or changes the mask, or hands it on (sigsetjmp, exec, fork, a new thread),
// runs only when no signal is kept: it is inside a BlockedScope, or after a guard
// (platform/guards.S).
#pragma once

#include <signal.h>
#include <ucontext.h>

#include <cstdint>

#include "runtime/thread/thread.h"

namespace isosan::rt {

using SignalMask = std::uint64_t;  // as the kernel has it: bit n - 1 is signal n
constexpr SignalMask bit_of_signal(int signal) { return SignalMask{1} << (signal - 1); }

// Not by default and not ignored. Both kinds of handler are at the same place.
inline bool is_handled(const struct sigaction& action) {
  return action.sa_handler != SIG_DFL && action.sa_handler != SIG_IGN;
}

// A handler call: what arrived, and how the program wanted it then.
struct Arrival {
  int signal = 0;
  siginfo_t info{};
  struct sigaction action {};
};

struct DeferredSignal {
  bool kept = false;
  bool delivering = false;  // the next frame is for it
  bool has_request = false;
  Arrival arrival;
  SignalMask mask = 0;  // of the program, when it arrived
  Arrival request;      // a request signal of the program that came while another one was kept
};

// From the frame of a signal.
bool is_bad_moment(const Thread& t, const ucontext_t* frame, std::uint64_t handler);
void keep_signal(Thread& t, const Arrival& arrival, ucontext_t* frame);
bool is_delivery(const Thread* t);
void deliver_kept_signal(Thread& t, ucontext_t* frame);

// A signal that is not kept: would its handler run with requests blocked? And the mask to run it with.
bool blocks_requests(int signal, ucontext_t* frame);
SignalMask mask_of_handler(const Arrival& arrival, ucontext_t* frame);
// Runs a handler as if the thread were outside of the runtime, wherever it was. `mask` null: the
// kernel has set it.
void run_handler(Thread* t, Arrival& arrival, ucontext_t* frame, const SignalMask* mask);

}  // namespace isosan::rt
