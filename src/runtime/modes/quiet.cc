#include "runtime/modes/quiet.h"

#include "runtime/calls/call_stack.h"
#include "runtime/log/log.h"
#include "runtime/modes/plain.h"
#include "runtime/modes/quiet_transactions.h"
#include "runtime/ownership/coordinate.h"
#include "runtime/platform/pool.h"
#include "runtime/sync/kept_clock.h"

namespace isosan::rt {
namespace quiet {
namespace {

// Order.
void depend_on(Thread& t, std::uint32_t slot, std::uint64_t epoch) {
  SpinGuard guard(t.slot->lock);
  slot_state(*t.slot).drops.add(slot, epoch);
}

// Counted once for each transaction, and once between two.
void depend_on_another(Thread& t, std::uint32_t slot, std::uint64_t epoch) {
  if (!of(t).met_another) ++t.block->contended;
  of(t).met_another = true;
  depend_on(t, slot, epoch);
}

bool comes_after(Thread& t, const Contribution& left, bool moves_clock) {
  Slot& other = slot_at(left.slot);
  Visible visible;
  std::uint64_t closed;
  const bool kept =
      !is_dropped(left.slot, left.epoch) && keep_transaction(other, left.epoch, visible, closed);
  if (kept) {
    be_logged(t);
    come_after_dropped(t);
    append_sync_marker(t.block, left.thread, left.position);
    depend_on_another(t, left.slot, left.epoch);
  } else {
    come_after_dropped(t);
  }
  if (moves_clock) raise_clock(t, left.slot, left.epoch);
  return kept;
}

// Of a dropped transaction: the clock covers what is dropped, and no more.
std::uint64_t take_order_of_dropped(Thread& t, const Slot& other, bool is_dependence) {
  come_after_dropped(t);
  const std::uint64_t closed = other.epoch.load(std::memory_order_acquire) - 1;  // order: epoch
  const std::uint64_t dropped = slot_state(other).drops.dropped_until();
  const std::uint64_t covered = dropped < closed ? dropped : closed;
  if (is_dependence) raise_clock(t, other.index, covered);
  return covered;
}

// Where memory is used again there is no dependence. But the thread is kept as if there were one,
// so that the marker stays in front of all that it does to the memory.
std::uint64_t take_order(Thread& t, Slot& other, std::uint64_t epoch, bool is_dependence) {
  const std::uint32_t count = slots_in_use();
  for (std::uint32_t i = 0; i < count; ++i)
    t.scratch[i] = other.clock[i].load(std::memory_order_acquire);  // order: clock
  Visible visible;
  std::uint64_t closed;
  if (is_dropped(other.index, epoch) || !keep_transaction(other, epoch, visible, closed))
    return take_order_of_dropped(t, other, is_dependence);
  be_logged(t);
  come_after_dropped(t);
  append_marker(t.block, is_dependence ? log::Code::kMarker : log::Code::kOrderMarker,
                visible.thread, visible.position);
  depend_on_another(t, other.index, epoch);
  if (!is_dependence) return closed;
  for (std::uint32_t i = 0; i < count; ++i) raise_clock(t, i, t.scratch[i]);
  raise_clock(t, other.index, closed);
  return closed;
}

// Safe points.
void answers(Thread& t, bool ends_epoch) {
  OfThread& state = of(t);
  if (state.state == State::kClear) return;
  be_logged(t);
  SpinGuard guard(t.slot->lock);
  make_visible(slot_state(*t.slot));
  if (state.state == State::kKept && ends_epoch) slot_state(*t.slot).drops.open(epoch_of(t) + 1);
}

void granted(Slot& slot) {
  if (slot_state(slot).drops.dropped_until() != kAllEpochs) make_visible(slot_state(slot));
}

void publish_block(log::ThreadBlock* block) {
  Thread* t = known_thread(*block);
  if (t == nullptr || t->of_mode == nullptr) return;
  be_logged(*t);
  publish(*t);
}

// Calls. Those that compiled code keeps, too, are logged with the first event in them.
bool is_late(Thread& t, const OpenEdge& edge) {
  return of(t).state == State::kClear ||
         (is_pass_function(edge) && (t.block->region_depth != 0 || edge.closes == Closes::kNever));
}

// What a clear thread appends is taken back, and its calls with it.
void log_calls_of(log::ThreadBlock* block) {
  Thread* t = known_thread(*block);
  if (t != nullptr && t->of_mode != nullptr && of(*t).state != State::kClear) log_open_calls(*t);
}

// The reader sees each region function at least once: the report says which ones ran.
bool is_first_call(const OpenEdge& edge) {
  if (!is_pass_function(edge)) return false;
  auto& function = *reinterpret_cast<FunctionRecord*>(edge.place);
  if (function.call_logged != 0) return false;
  function.call_logged = 1;
  return true;
}

// Only the reader knows whether it is one: then it counts as part of a transaction.
bool may_be_region(const OpenEdge& edge) {
  if (edge.kind != Kind::kCall || is_region(edge.closes)) return false;
  if (!is_pass_function(edge)) return true;
  const std::uint8_t flags = reinterpret_cast<const FunctionRecord*>(edge.place)->flags;
  return (flags & log::kFunctionCut) != 0 && (flags & log::kFunctionFixed) != 0;
}

bool is_inside(const Thread& t) { return t.block->region_depth != 0 || of(t).maybe_regions != 0; }

constexpr std::uint64_t kMayBeRegion = std::uint64_t{1} << 63;  // in OpenEdge::of_mode

void count_maybe(Thread& t, OpenEdge& edge) {
  edge.of_mode = kMayBeRegion;
  ++of(t).maybe_regions;
}

void entering(Thread& t, OpenEdge& edge) {
  const bool maybe = may_be_region(edge);
  if (!maybe && !is_region(edge.closes)) return;
  if (!is_inside(t)) {
    begin(t);
    edge.logged = true;
  }
  if (maybe) count_maybe(t, edge);
  if (!is_first_call(edge)) return;
  be_logged(t);
  log_open_calls(t, 1);
  edge.logged = true;
}

void entered(Thread& t, const OpenEdge& edge) {
  if (!edge.logged && of(t).state != State::kClear) hide_room(*t.block);
}

void edge_passed(Thread& t) {
  const OfThread& state = of(t);
  if (is_open(state) && !is_inside(t)) end(t, epoch_of(t));
  if (state.state == State::kClear) log_accesses(t, false);
}

// Of what a clear thread appends, only the end of a call that is in the log stays there. Other
// events would be in the log without their order.
void leaving(Thread& t) {
  if (of(t).state == State::kClear) take_back(t);
}

void left(Thread& t, const OpenEdge& edge) {
  OfThread& state = of(t);
  if (edge.of_mode == kMayBeRegion) {
    --state.maybe_regions;
    edge_passed(t);
  } else if (state.state == State::kClear && edge.logged &&
             t.block->position != t.block->visible.load(std::memory_order_relaxed)) {
    SpinGuard guard(t.slot->lock);
    t.block->visible.store(t.block->position, std::memory_order_release);  // order: log
  }
}

void last_release(Thread& t, std::uint64_t record, std::uint64_t lock) {
  of(t).last_function = record;
  of(t).last_lock = lock;
}

// The outermost region ends with this release: it ends before. A thread that waits for the lock
// then meets no open transaction.
void releases(Thread& t, std::uint64_t lock) {
  OfThread& state = of(t);
  if (state.last_lock != lock) return;
  state.last_lock = 0;
  const std::uint64_t depth = t.calls.count - 1;
  if (!is_open(state) || t.block->region_depth != 1 || state.maybe_regions != 0 ||
      depth >= kMaxOpenEdges)
    return;
  const OpenEdge& edge = t.calls.edges[depth];
  if (edge.place == state.last_function && is_region(edge.closes)) end(t, epoch_of(t) + 1);
}

// Between two operations.
void before_event(Thread& t) {
  const State state = of(t).state;
  if (state == State::kClear) take_back(t);
  if (state == State::kLogged) publish(t);  // else a finding would have to wait for the end
  if (state == State::kKept) try_to_clear(t);
}

// The reader must see that a function waits that may be a region: it is none from here on.
void waits(Thread& t, Waiting waiting) {
  if (!calls_a_region(t)) return;
  be_logged(t);
  for (std::uint64_t i = 0; i < t.calls.count && i < kMaxOpenEdges; ++i) {
    OpenEdge& edge = t.calls.edges[i];
    if (edge.kind != Kind::kCall || is_pass_function(edge) || !is_region(edge.closes)) continue;
    count_maybe(t, edge);
  }
  end_waiting_regions(t, waiting);
  be_logged(t);
}

// Threads.
void thread_begins(Thread& t, const Thread*) {
  t.of_mode = new (pool_allocate(sizeof(OfThread))) OfThread;
  enter(t);
}

void leave(Thread& t, OfSlot& slot) {
  make_visible(slot);
  slot.final_position = t.block->position;
  slot.block = nullptr;
}

void thread_ends(Thread& t) {
  close_walks(t.block);
  if (of(t).state == State::kClear) take_back(t);
  {
    SpinGuard guard(t.slot->lock);
    leave(t, slot_state(*t.slot));
    if (of(t).state != State::kClear) slot_state(*t.slot).drops.end_all();
  }
  is_dropped(t.slot->index, epoch_of(t));
  pool_free(t.of_mode, sizeof(OfThread));
  t.of_mode = nullptr;
}

// The open transaction, or what is kept, goes on in the new slot, which depends on the old one.
void slot_changed(Thread& t, Slot& old) {
  OfThread& state = of(t);
  const bool open = is_open(state);
  if (state.state == State::kClear) take_back(t);
  {
    SpinGuard guard(old.lock);
    leave(t, slot_state(old));
    if (open) {
      state.left_open = &old;
    } else if (state.state != State::kClear) {
      slot_state(old).drops.end_all();
    }
  }
  state.state = open ? State::kLogged : State::kKept;
  state.generation = state.own_generation = 0;
  enter(t);
  depend_on(t, old.index, kMaxEpoch);
  if (!open && g_options.logs_outside) log_accesses(t, true);
  log_open_calls(t);
}

void forks(Thread& parent) { be_logged(parent); }

void forked(Thread& parent, Thread& child) {
  publish(parent);
  depend_on(child, parent.slot->index, epoch_of(parent) - 1);
  before_event(parent);
}

}  // namespace
}  // namespace quiet

Mode quiet_mode() {
  g_log.before_append = quiet::log_calls_of;
  g_log.before_waiting = quiet::publish_block;
  g_log.most_at_once = quiet::kMostAtOnce;
  Mode mode = plain_mode();
  mode.name = "quiet";
  mode.thread_begins = quiet::thread_begins;
  mode.started = quiet::before_event;
  mode.thread_ends = quiet::thread_ends;
  mode.slot_changed = quiet::slot_changed;
  mode.answers = quiet::answers;
  mode.granted = quiet::granted;
  mode.take_order = quiet::take_order;
  mode.comes_after = quiet::comes_after;
  mode.last_release = quiet::last_release;
  mode.releases = quiet::releases;
  mode.forks = quiet::forks;
  mode.forked = quiet::forked;
  mode.before_event = quiet::before_event;
  mode.waits = quiet::waits;
  mode.logged_late = quiet::is_late;
  mode.nests_inline = true;
  mode.entering = quiet::entering;
  mode.entered = quiet::entered;
  mode.leaving = quiet::leaving;
  mode.left = quiet::left;
  mode.edge_passed = quiet::edge_passed;
  return mode;
}

}  // namespace isosan::rt
