#include "runtime/modes/quiet_transactions.h"

#include "runtime/calls/call_stack.h"
#include "runtime/log/log.h"

namespace isosan::rt::quiet {
namespace {

// A transaction that has appended so many units is logged: half a ring.
std::uint64_t most_buffered() { return g_log.layout.ring_units / 2; }
// After so many transactions that began in an open call, its Call stays in the log.
constexpr std::uint64_t kCallsTakenBack = 8;

void append_order_markers(Thread& t, bool visible) {
  const std::uint32_t count = slots_in_use();
  for (std::uint32_t i = 0; i < count; ++i) {
    Slot& slot = slot_at(i);
    if (&slot == t.slot || known_of(slot) == nullptr) continue;
    const Visible now = visible_of(slot);
    Visible& before = slot_state(*t.slot).ordered[i];
    if (now.position == 0 || (now.thread == before.thread && now.position <= before.position))
      continue;
    append_marker(t.block, log::Code::kOrderMarker, now.thread, now.position);
    if (visible) before = now;
  }
}

void become_clear(Thread& t) {
  {
    SpinGuard guard(t.slot->lock);
    slot_state(*t.slot).drops.clear();
    t.block->keeps_back.store(1, std::memory_order_relaxed);
  }
  ISOSAN_DEBUG_CHECK(!is_open(of(t)) || t.block->region_depth <= 1);
  of(t).state = State::kClear;
  log_accesses(t, false);
}

// The calls around the transaction are logged with it, and taken back with it. The outer ones stay
// if that has happened often.
void log_calls_around(Thread& t) {
  const std::uint64_t count = t.calls.count - 1;
  std::uint64_t first = count;
  while (first > 0 && !t.calls.edges[first - 1].logged) --first;
  std::uint64_t staying = first;
  for (std::uint64_t i = first; i < count; ++i) {
    if (++t.calls.edges[i].of_mode > kCallsTakenBack) staying = i + 1;
  }
  if (staying > first) {
    log_open_calls(t, t.calls.count - staying);
    publish(t);
  }
  of(t).first_call = staying;
}

// For the whole buffer, as far as the reader is done with the ring.
void make_room(log::ThreadBlock& block) {
  show_room(block);
  const bool is_there = block.limit - block.position == most_buffered();
  if (!is_there) block.limit = limit_of(block, most_buffered());
}

// The transaction is taken back, unless another thread has made it visible.
bool drop(Thread& t) {
  SpinGuard guard(t.slot->lock);
  if (t.block->keeps_back.load(std::memory_order_relaxed) == 0) return false;
  ISOSAN_CHECK(of(t).begin == t.block->visible.load(std::memory_order_relaxed));
  show_room(*t.block);  // it may be hidden, from where the position is
  t.block->position = of(t).begin;
  slot_state(*t.slot).drops.clear();
  return true;
}

}  // namespace

void come_after_dropped(Thread& t) {
  OfThread& state = of(t);
  const std::uint64_t now = g_generation.load(std::memory_order_acquire);  // order: drop
  if (now == state.own_generation || state.state == State::kClear) return;
  state.own_generation = now;
  const bool visible = state.state != State::kBuffered;
  append_order_markers(t, visible);
  if (visible) state.generation = now;
}

void publish(Thread& t) {
  SpinGuard guard(t.slot->lock);
  make_visible(slot_state(*t.slot));
}

void take_back(Thread& t) {
  ISOSAN_DEBUG_CHECK(of(t).state == State::kClear);
  show_room(*t.block);  // it is hidden from where the position was
  t.block->position = t.block->visible.load(std::memory_order_relaxed);
}

void be_logged(Thread& t) {
  OfThread& state = of(t);
  if (state.state == State::kBuffered) {
    state.state = State::kLogged;
    state.generation = state.own_generation;
    publish(t);
  } else if (state.state == State::kClear) {
    take_back(t);
    bump_epoch(t);
    {
      SpinGuard guard(t.slot->lock);
      slot_state(*t.slot).drops.open(epoch_of(t));
      t.block->keeps_back.store(0, std::memory_order_relaxed);
    }
    state.state = State::kKept;
    state.own_generation = state.generation;
    if (g_options.logs_outside) log_accesses(t, true);
    log_open_calls(t);
    come_after_dropped(t);
  }
}

void try_to_clear(Thread& t) {
  bump_epoch(t);
  {
    SpinGuard guard(t.slot->lock);
    make_visible(slot_state(*t.slot));
    slot_state(*t.slot).drops.open(epoch_of(t));
  }
  if (is_dropped(t.slot->index, epoch_of(t) - 1)) become_clear(t);
}

void begin(Thread& t) {
  OfThread& state = of(t);
  ISOSAN_DEBUG_CHECK(!is_open(state));
  ++t.block->transactions;
  state.met_another = false;
  if (state.state == State::kKept) try_to_clear(t);
  if (state.state == State::kKept) {
    log_open_calls(t, 1);
    state.state = State::kLogged;
    return;
  }
  take_back(t);
  state.state = State::kKept;  // what is appended now stays
  state.own_generation = state.generation;
  come_after_dropped(t);
  log_calls_around(t);
  {
    SpinGuard guard(t.slot->lock);
    make_visible(slot_state(*t.slot));
    slot_state(*t.slot).drops.open(epoch_of(t) + 1);
    t.block->keeps_back.store(1, std::memory_order_relaxed);
  }
  ++t.block->buffered;
  state.begin = t.block->position;
  state.state = State::kBuffered;
  make_room(*t.block);
  log_open_calls(t, 1);
}

void end(Thread& t, std::uint64_t next) {
  OfThread& state = of(t);
  ISOSAN_DEBUG_CHECK(is_open(state) && next <= epoch_of(t) + 1);
  if (state.state == State::kBuffered && drop(t)) {
    for (std::uint64_t i = state.first_call; i < t.calls.count; ++i)
      t.calls.edges[i].logged = false;
    state.state = State::kClear;
    state.own_generation = state.generation;
    log_accesses(t, false);
    ++t.block->dropped;
    return;
  }
  state.state = State::kKept;
  state.generation = state.own_generation;
  if (Slot* old = state.left_open) {
    state.left_open = nullptr;
    SpinGuard guard(old->lock);
    slot_state(*old).drops.end_all();
  }
  {
    SpinGuard guard(t.slot->lock);
    make_visible(slot_state(*t.slot));
    slot_state(*t.slot).drops.open(next);
  }
  if (is_dropped(t.slot->index, next - 1)) {
    become_clear(t);
  } else {
    ++t.block->kept;
  }
}

}  // namespace isosan::rt::quiet
