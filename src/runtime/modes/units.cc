#include "runtime/modes/units.h"

#include "event/accessibility.h"
#include "runtime/calls/call_stack.h"
#include "runtime/modes/plain.h"
#include "runtime/ownership/words.h"
#include "runtime/platform/os.h"
#include "runtime/platform/pool.h"

namespace isosan::rt {
namespace {

constexpr std::uint64_t kMostUnits = 1024;  // looked at, of one call
constexpr std::uint32_t kMostForgotten = 256;
constexpr std::uint32_t kWorthAnEpoch = 8;
constexpr std::uint64_t kMostBytes = 2048;  // of one access
constexpr std::uint64_t kWrite = std::uint64_t{1} << 63;
constexpr std::uint64_t kMostLogged = 1 << 14;

struct LoggedBytes {  // an access that is in the log
  std::uint64_t address = 0;
  std::uint64_t size_and_kind = 0;
};

struct PerThread {
  // What the open calls have logged in this epoch; pages on demand. They are numbered from the
  // thread's birth on; the first one here is `from`, those of the innermost call are last.
  LoggedBytes* logged = nullptr;
  std::uint64_t from = 0;
  std::uint64_t to = 0;
  std::uint64_t epoch = 0;           // in which they were logged
  std::uint64_t looked_up_to = 0;    // position: what the log has before it is in `logged`
  std::uint32_t nested_entries = 0;  // open thread entries that were called inside of a region
};
PerThread& of(const Thread& t) { return *static_cast<PerThread*>(t.of_mode); }

// What was logged in an epoch that is over has to be logged anew, whichever call did that.
void drop_other_epochs(Thread& t) {
  PerThread& state = of(t);
  if (state.epoch == epoch_of(t)) return;
  state.epoch = epoch_of(t);
  state.from = state.to;
  if (state.looked_up_to < t.epoch_position) state.looked_up_to = t.epoch_position;
}

// The bytes from the first to behind the last element.
std::uint64_t span_of(std::uint64_t count, std::uint64_t stride, std::uint64_t size) {
  return (count - 1) * stride + size;
}

// Calls f(bytes) for the plain accesses that were appended since the last edge; false: they are too
// many, or too large.
template <class F>
bool for_each_new(Thread& t, F&& f) {
  const log::ThreadBlock& block = *t.block;
  const std::uint64_t end = block.position;
  PerThread& state = of(t);
  std::uint64_t at = state.looked_up_to;
  state.looked_up_to = end;
  if (end - at > kMostUnits) return false;
  const auto unit = [&](std::uint64_t position) -> const log::LogUnit& {
    return *reinterpret_cast<const log::LogUnit*>(block.ring + 16 * (position & block.ring_mask));
  };
  const auto is = [&](std::uint64_t position, log::Code code) {
    return position < end && log::code_of(unit(position)) == static_cast<std::uint8_t>(code);
  };
  for (; at < end; ++at) {
    const log::LogUnit& u = unit(at);
    const bool write = log::code_of(u) == log::code_of(Kind::kWrite);
    if (!write && log::code_of(u) != log::code_of(Kind::kRead)) continue;
    std::uint64_t address = log::address_of(u), size = log::detail_of(u);
    if (is(at + 1, log::Code::kExtension)) {
      const std::uint64_t number = unit(++at).word1;
      if (is(at + 1, log::Code::kRange)) {
        const std::uint64_t stride = unit(++at).word1;
        const bool down = static_cast<std::int64_t>(stride) < 0;
        if (down) address += (number - 1) * stride;
        size = span_of(number, down ? -stride : stride, size);
      } else {
        size = number;
      }
    }
    if (size > kMostBytes) return false;
    f(LoggedBytes{address, size | (write ? kWrite : 0)});
  }
  return true;
}

// A write counts as a read, too: both are forgotten, though an outer call may have logged the read.
void forget(Thread& t, const LoggedBytes& bytes) {
  const bool write = (bytes.size_and_kind & kWrite) != 0;
  const std::uint64_t end = bytes.address + (bytes.size_and_kind & ~kWrite);
  for (std::uint64_t at = bytes.address; at < end;) {
    const std::uint64_t step = granule_part(at, end);
    const Word mask = byte_mask(at, step);
    AtomicWord& word = shadow_word(at);
    Word w = word.load(std::memory_order_relaxed);
    if (!is_exclusive(w)) {
      t.slot->filter[filter_index(at)] &= ~kFilterMaskField;  // when that was stays known
    } else {
      const Word gone = write && is_written(w) ? mask | mask << kWriteMaskShift : mask;
      while (is_own(t, w) && rt::epoch_of(w) == epoch_of(t) &&
             !word.compare_exchange_weak(w, w & ~gone, std::memory_order_relaxed)) {
      }
    }
    at += step;
  }
}

// The thread calls: what was logged is the caller's.
void keep_logged(Thread& t) {
  drop_other_epochs(t);
  PerThread& state = of(t);
  if (state.looked_up_to == t.block->position) return;
  bool room = true;
  const bool all = for_each_new(t, [&](const LoggedBytes& bytes) {
    const std::uint64_t count = state.to - state.from;
    room = count < kMostLogged;
    if (!room) return;
    state.logged[count] = bytes;
    ++state.to;
  });
  if (!all || !room) bump_epoch(t);
}

// The thread returns from a call before which `before` were logged: forget the others.
void forget_logged(Thread& t, std::uint64_t before) {
  drop_other_epochs(t);
  PerThread& state = of(t);
  const std::uint64_t count = state.to - state.from;
  const std::uint64_t kept = before > state.from ? before - state.from : 0;
  ISOSAN_CHECK(kept <= count && count <= kMostLogged);
  const std::uint64_t gone = count - kept + t.block->position - state.looked_up_to;
  const bool few = gone < kMostForgotten && gone <= kept + kWorthAnEpoch;
  bool any = false;
  const bool all = for_each_new(t, [&](const LoggedBytes& bytes) {
    if (few) forget(t, bytes);
    any = true;
  });
  if (!all || !few) return bump_epoch(t);
  for (std::uint64_t i = kept; i < count; ++i, any = true) forget(t, state.logged[i]);
  state.to = state.from + kept;
  if (any) forget_own_ranges(t);
}

void log_calls_of(log::ThreadBlock* block) {
  if (Thread* t = known_thread(*block)) log_open_calls(*t);
}

// main and thread entries are never units (analysis/marathon/function_roles.h).
bool is_no_unit(const FunctionRecord& function) {
  if ((function.attributes & kThreadEntry) != 0) return true;
  const char* name = reinterpret_cast<const char*>(&function.name) + function.name;
  return function.name != 0 && name[0] == 'm' && name[1] == 'a' && name[2] == 'i' &&
         name[3] == 'n' && name[4] == 0;
}

// A private member function called outside all units of work. Its accesses to its own object belong
// to its caller, which is no unit (analysis/marathon/unit_stack.h).
Closes closes_here(const Thread& t, const FunctionRecord& function, Closes closes) {
  if (closes == Closes::kAlways) return is_no_unit(function) ? Closes::kNoUnit : closes;
  const bool acts_for_entry =
      t.block->region_depth == 0 &&
      function.accessibility == static_cast<std::uint8_t>(Accessibility::kPrivate);
  return acts_for_entry && is_region(closes) ? Closes::kAlways : closes;
}

bool is_logged_late(Thread&, const OpenEdge& edge) {
  return is_pass_function(edge) && is_region(edge.closes);
}

// A thread entry that is called like any function: what it does is no unit, as if it were
// outermost.
bool is_nested_entry(const Thread& t, const OpenEdge& edge) {
  return edge.closes == Closes::kNoUnit && is_pass_function(edge) && t.block->region_depth > 0 &&
         (reinterpret_cast<const FunctionRecord*>(edge.place)->attributes & kThreadEntry) != 0;
}

void entering(Thread& t, OpenEdge& edge) {
  PerThread& state = of(t);
  if (is_region(edge.closes)) {
    if (t.block->region_depth > 0) keep_logged(t);
    if (state.nested_entries > 0) bump_epoch(t);
  } else if (is_nested_entry(t, edge)) {
    ++state.nested_entries;
  }
  edge.of_mode = state.to;
}

void entered(Thread& t, const OpenEdge& edge) {
  if (!edge.logged) hide_room(*t.block);
}

void left(Thread& t, const OpenEdge& edge) {
  if (is_region(edge.closes)) {
    if (!edge.logged) {
      if (t.calls.count == 0 || are_calls_logged(t)) show_room(*t.block);
    } else if (t.block->region_depth > 0) {
      forget_logged(t, edge.of_mode);
    }
  } else if (of(t).nested_entries > 0 && is_nested_entry(t, edge)) {
    --of(t).nested_entries;
  }
}

// A unit of work that waits is still a unit.
void waits(Thread& t, Waiting) { log_open_calls(t); }

constexpr std::uint64_t kLoggedPages = kMostLogged * sizeof(LoggedBytes);

// The slot keeps the pages of the list for its next thread.
void thread_begins(Thread& t, const Thread*) {
  if (t.slot->of_mode == nullptr) t.slot->of_mode = map_pages(kLoggedPages);
  auto* state = new (pool_allocate(sizeof(PerThread))) PerThread;
  state->logged = static_cast<LoggedBytes*>(t.slot->of_mode);
  t.of_mode = state;
}
void thread_ends(Thread& t) { pool_free(t.of_mode, sizeof(PerThread)); }

}  // namespace

Mode units_mode() {
  g_log.before_append = log_calls_of;
  Mode mode = plain_mode();
  mode.name = "units";
  // Units have no order but that of their data (Definition 2 of Marathon), and an access that
  // repeats another outside of all units has the same conflicts.
  mode.dependences_end_epochs = false;
  mode.blocks_are_regions = false;
  // These end units.
  mode.also_ends_epoch = kinds(Kind::kJoin, Kind::kBarrierDepart, Kind::kSemaphoreWait);
  mode.thread_begins = thread_begins;
  mode.thread_ends = thread_ends;
  mode.before_event = log_calls;
  mode.waits = waits;
  mode.closes = closes_here;
  mode.logged_late = is_logged_late;
  mode.entering = entering;
  mode.entered = entered;
  mode.left = left;
  return mode;
}

}  // namespace isosan::rt
