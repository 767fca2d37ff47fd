#include "runtime/ownership/coordinate.h"

#include "runtime/platform/check.h"
#include "runtime/platform/os.h"
#include "runtime/platform/patience.h"
#include "runtime/shadow/shadow.h"

namespace isosan::rt {
namespace {

constexpr std::uint64_t kMicrosecondsBetweenSignals = 50;
// After so many signals that found the thread outside the runtime with the same access pending, the
// access is taken as done: only a few instructions lie between the return of a check and its
// access.
constexpr std::uint32_t kRefusals = 8;

bool granted_implicitly(Slot& other) {
  if ((other.status.load(std::memory_order_relaxed) & 1) == 0) return false;
  SpinGuard guard(other.lock);
  std::uint64_t status = other.status.load(std::memory_order_acquire);  // order: safe point
  while (status & 1) {
    if (other.status.compare_exchange_weak(status, status + 2,
                                           std::memory_order_acq_rel)) {  // order: safe point
      call(g_mode.granted, other);
      return true;
    }
  }
  return false;
}

}  // namespace

void answer_requests(Thread& t) {
  t.block->poll.exchange(0, std::memory_order_acq_rel);  // order: request
  const std::uint64_t requests =
      t.slot->requests.load(std::memory_order_acquire);  // order: request
  ISOSAN_DEBUG_CHECK(t.slot->answered.load(std::memory_order_relaxed) <= requests);
  call(g_mode.answers, t, true);
  bump_epoch(t);
  t.refused_signals = 0;
  t.slot->answered.store(requests, std::memory_order_release);  // order: request
  deliver_deferred_signals(t);
}

void recover_from_cancellation(Thread& t) {
  ISOSAN_CHECK(t.in_runtime >= t.blocked_depth);
  t.in_runtime -= t.blocked_depth;
  t.blocked = false;
  leave_safe_point(t);
}

void coordinate(Thread& t, Slot& other) {
  ISOSAN_CHECK(&other != t.slot);
  if (granted_implicitly(other)) return;
  enter_safe_point(t);
  const std::uint64_t ticket =
      other.requests.fetch_add(1, std::memory_order_acq_rel) + 1;  // order: request
  std::uint64_t next_signal = 0;
  for (Patience patience;
       other.answered.load(std::memory_order_acquire) < ticket;) {  // order: request
    if (granted_implicitly(other)) break;
    if (log::ThreadBlock* block = other.block.load(std::memory_order_acquire)) {  // order: request
      block->poll.store(1, std::memory_order_release);                            // order: request
    }
    patience.wait();
    if (!patience.is_long() || microseconds_now() < next_signal) continue;
    const std::uint32_t tid = other.tid.load(std::memory_order_relaxed);
    if (tid != 0) send_request(tid);
    next_signal = microseconds_now() + kMicrosecondsBetweenSignals;
  }
  leave_safe_point(t);
}

// A word without masks was last used by an atomic operation (which held it) or handed out by
// malloc.
void coordinate_with_owner(Thread& t, Slot& owner, Word before, bool plain) {
  if ((without_read_flags(before) & kMasks) == 0) return;
  if (plain) g_log.header->racy_transfers.fetch_add(1, std::memory_order_relaxed);
  coordinate(t, owner);
}

bool answer_from_signal(Thread& t, bool at_safe_point) {
  const std::uint64_t requests =
      t.slot->requests.load(std::memory_order_acquire);  // order: request
  if (!at_safe_point && t.refused_signals < kRefusals) {
    // Requesters hold the word they want: is one of them under the access checked last?
    const std::uint64_t end = t.block->pending_address + t.block->pending_size;
    for (std::uint64_t at = t.block->pending_address & ~(kGranule - 1); at < end; at += kGranule) {
      if (is_held(shadow_word(at).load(std::memory_order_acquire))) {  // order: word
        ++t.refused_signals;
        return false;
      }
    }
  }
  t.refused_signals = 0;
  close_walks(t.block);
  call(g_mode.answers, t, false);
  t.bump_pending = true;
  t.slot->answered.store(requests, std::memory_order_release);  // order: request
  return true;
}

std::uint64_t write_marker(Thread& t, Slot& other, log::Code code) {
  const std::uint32_t count = slots_in_use();
  for (std::uint32_t i = 0; i < count; ++i) {
    t.scratch[i] = other.clock[i].load(std::memory_order_acquire);  // order: clock
  }
  const Standing standing = standing_of(other);
  // Rule 3: a clock covers closed epochs only.
  ISOSAN_CHECK(standing.closed < other.epoch.load(std::memory_order_acquire));  // order: epoch
  append_marker(t.block, code, standing.thread, standing.position);
  if (code == log::Code::kOrderMarker) return standing.closed;
  for (std::uint32_t i = 0; i < count; ++i) raise_clock(t, i, t.scratch[i]);
  raise_clock(t, other.index, standing.closed);
  return standing.closed;
}

std::uint64_t take_order(Thread& t, Slot& other, std::uint64_t epoch, bool is_dependence) {
  if (g_mode.take_order != nullptr) return g_mode.take_order(t, other, epoch, is_dependence);
  return write_marker(t, other, is_dependence ? log::Code::kMarker : log::Code::kOrderMarker);
}

}  // namespace isosan::rt
