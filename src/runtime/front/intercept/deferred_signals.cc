#include "runtime/front/intercept/deferred_signals.h"

#include "runtime/front/intercept/intercept.h"
#include "runtime/front/intercept/signal_order.h"
#include "runtime/front/modules.h"
#include "runtime/platform/arch.h"
#include "runtime/platform/guards.h"
#include "runtime/platform/os.h"
#include "runtime/platform/pool.h"

namespace isosan::rt {
namespace {

// Signals of libc itself. No program can block them with libc's functions. So a mask that has them
// is the mask of a thread that keeps a signal.
constexpr SignalMask kOfLibc = bit_of_signal(32) | bit_of_signal(33);

constexpr SignalMask kNeverBlocked =
    bit_of_signal(SIGSEGV) | bit_of_signal(SIGBUS) | bit_of_signal(SIGFPE) | bit_of_signal(SIGILL) |
    bit_of_signal(SIGTRAP) | bit_of_signal(SIGSYS) | bit_of_signal(SIGABRT);

SignalMask mask_while_kept() { return ~(kNeverBlocked | bit_of_signal(request_signal())); }
bool is_mask_while_kept(SignalMask mask) { return (mask & kOfLibc) == kOfLibc; }

SignalMask& mask_of(ucontext_t* frame) {
  return *reinterpret_cast<SignalMask*>(&frame->uc_sigmask);
}
SignalMask mask_of(const sigset_t& set) { return *reinterpret_cast<const SignalMask*>(&set); }

void send_to_self(Arrival& arrival) {
  queue_signal(g_process_id, thread_id(), arrival.signal, &arrival.info);
}

void call_handler(Arrival& arrival, ucontext_t* frame) {
  if (!is_handled(arrival.action)) return;
  // A handler without SA_SIGINFO gets two arguments more than it takes.
  auto* handler = reinterpret_cast<void*>(arrival.action.sa_sigaction);
  if ((arrival.action.sa_flags & SA_ONSTACK) != 0) {
    if (void* top = top_of_free_signal_stack()) {
      return isosan_call_on_stack(handler, arrival.signal, &arrival.info, frame, top);
    }
  }
  arrival.action.sa_sigaction(arrival.signal, &arrival.info, frame);
}

bool blocks_requests(SignalMask mask) { return (mask & bit_of_signal(request_signal())) != 0; }
SignalMask with_requests(SignalMask mask) { return mask & ~bit_of_signal(request_signal()); }

SignalMask mask_of_handler(const Arrival& arrival, SignalMask before) {
  const bool again = (arrival.action.sa_flags & SA_NODEFER) != 0;
  return with_requests(before | mask_of(arrival.action.sa_mask) |
                       (again ? 0 : bit_of_signal(arrival.signal)));
}

}  // namespace

bool blocks_requests(int signal, ucontext_t* frame) {
  return signal == request_signal() || blocks_requests(mask_of(frame));
}

SignalMask mask_of_handler(const Arrival& arrival, ucontext_t* frame) {
  return mask_of_handler(arrival, mask_of(frame));
}

// The kernel may have put this frame on top of another one whose handler has not begun. Then the
// moment at which that frame interrupted counts. (The third argument of a handler is its frame.)
bool is_bad_moment(const Thread& t, const ucontext_t* frame, std::uint64_t handler) {
  if (t.blocked) return false;
  if (t.in_runtime > 0) return true;
  while (interrupted_pc(frame) == handler) {
    frame = reinterpret_cast<const ucontext_t*>(interrupted_argument(frame));
  }
  const std::uint64_t pc = interrupted_pc(frame);
  return front_of(pc) != ModuleFront::kNone && !is_in_guard(pc);
}

void keep_signal(Thread& t, const Arrival& arrival, ucontext_t* frame) {
  DeferredSignal& deferred = *t.deferred;
  SignalMask& mask = mask_of(frame);
  if (!deferred.kept) {
    deferred.arrival = arrival;
    deferred.mask = with_requests(mask);
    deferred.kept = true;
    mask |= mask_while_kept();
    t.block->poll.store(1, std::memory_order_relaxed);
  } else if (arrival.signal == request_signal()) {
    deferred.request = arrival;
    deferred.has_request = true;
  } else {  // a handler has changed the mask: the kernel keeps this one
    mask |= mask_while_kept();
    Arrival again = arrival;
    send_to_self(again);
  }
}

bool is_delivery(const Thread* t) {
  return t != nullptr && t->deferred != nullptr && t->deferred->delivering;
}

void deliver_kept_signal(Thread& t, ucontext_t* frame) {
  DeferredSignal& deferred = *t.deferred;
  Arrival arrival = deferred.arrival;
  SignalMask& mask = mask_of(frame);
  if (is_mask_while_kept(mask)) mask = deferred.mask;
  deferred.delivering = false;
  deferred.kept = false;
  if (deferred.has_request) {
    deferred.has_request = false;
    send_to_self(deferred.request);  // it is blocked in this frame
  }
  if ((mask & bit_of_signal(arrival.signal)) != 0) {  // by a jump to a place that blocks it
    send_to_self(arrival);
    return;
  }
  const SignalMask during = mask_of_handler(arrival, mask);
  run_handler(&t, arrival, frame, &during);
}

void run_handler(Thread* t, Arrival& arrival, ucontext_t* frame, const SignalMask* mask) {
  if (t == nullptr) return call_handler(arrival, frame);
  const std::uint32_t in_runtime = t->in_runtime;
  const bool blocked = t->blocked;
  const std::uint64_t address = t->block->pending_address;
  const std::uint64_t size = t->block->pending_size;
  t->in_runtime = 0;
  t->blocked = false;
  if (blocked) leave_safe_point(*t);
  if (mask != nullptr) set_signal_mask(*mask);
  deliver_deferred_signals(*t);  // what came in the last few instructions
  // A fault may come anywhere in the runtime. A signal that was kept comes at a poll.
  const bool faulted_in_runtime = mask == nullptr && in_runtime > 0 && !blocked;
  if (!faulted_in_runtime) after_signal(*t, arrival.signal, 0);
  call_handler(arrival, frame);
  t->handler_ran = true;
  t->block->pending_address = address;
  t->block->pending_size = size;
  if (blocked) enter_safe_point(*t);
  t->blocked = blocked;
  t->in_runtime = in_runtime;
}

bool keeps_signal(const Thread& t) { return t.deferred != nullptr && t.deferred->kept; }

void deliver_deferred_signals(Thread& t) {
  while (keeps_signal(t)) {
    t.deferred->delivering = true;
    send_request(thread_id());
    if (t.deferred->delivering) unblock_signal(request_signal());  // blocked past libc
  }
}

std::uint64_t program_mask(const Thread* t, std::uint64_t mask) {
  return t != nullptr && keeps_signal(*t) && is_mask_while_kept(mask) ? t->deferred->mask : mask;
}

// A signal may be kept between the safe point and the mask. It is delivered by a request, which must
// not be blocked then.
void end_signals(Thread& t) {
  for (;;) {
    poll(t);
    set_signal_mask(~kNeverBlocked);
    if (!keeps_signal(t)) return;
    set_signal_mask(mask_while_kept());
  }
}

void prepare_signals(Thread& t) {
  t.deferred = new (pool_allocate(sizeof(DeferredSignal))) DeferredSignal;
}
// The kernel's thread may go on, as an OpenMP thread does: then the kept signal is delivered to it.
void drop_signals(Thread& t) {
  DeferredSignal* deferred = t.deferred;
  t.deferred = nullptr;
  if (deferred->kept) {
    send_to_self(deferred->arrival);
    set_signal_mask(deferred->mask);
  }
  pool_free(deferred, sizeof(DeferredSignal));
}

}  // namespace isosan::rt
