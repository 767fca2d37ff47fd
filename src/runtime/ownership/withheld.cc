#include "runtime/ownership/withheld.h"

#include "runtime/abi/edges.h"
#include "runtime/ownership/lone_units.h"

namespace isosan::rt {
namespace {

// To withhold in vain costs a copy; not to withhold, all that the log costs. But of a unit that is
// too long for the buffer more is told than without it: calls inside of it close epochs.
constexpr std::uint32_t kMostInVain = 2;
constexpr std::uint32_t kMostTooLong = 6;
constexpr std::uint64_t kLongestRecord = 3;  // units: who asks for room asks for no more

bool continues_record(const log::LogUnit& unit) {
  const std::uint8_t code = log::code_of(unit);
  return code == static_cast<std::uint8_t>(log::Code::kExtension) ||
         code == static_cast<std::uint8_t>(log::Code::kRange);
}

// The reader must not find half a record.
void append_records(log::ThreadBlock& block, const log::LogUnit* units, std::uint64_t count) {
  const std::uint64_t most = (block.ring_mask + 1) / 4;
  while (count > 0) {
    std::uint64_t some = count < most ? count : most;
    while (some < count && continues_record(units[some])) --some;
    if (block.limit - block.position < some) wait_for_room(&block, some);
    auto* ring = reinterpret_cast<log::LogUnit*>(block.ring);
    for (std::uint64_t i = 0; i < some; ++i)
      ring[(block.position + i) & block.ring_mask] = units[i];
    asm volatile("" ::: "memory");
    std::atomic_ref<std::uint64_t>(block.position)
        .store(block.position + some, std::memory_order_relaxed);
    units += some;
    count -= some;
  }
}

bool is_of(const log::LogUnit& unit, Kind kind) { return log::code_of(unit) == log::code_of(kind); }

// The calls that are open, where nothing else is to be told. False: calls have ended, too, that are
// in the log.
bool tell_open_calls(Thread& t) {
  const Withheld& withheld = t.withheld;
  const std::uint64_t from = withheld.told_edges, to = t.open_edge_count;
  if (withheld.has_memory || to < from || to > kMaxOpenEdges) return false;
  if (withheld.in_told_call && from > 0 && !t.open_edges[from - 1].barrier_inside) return false;
  for (std::uint64_t i = from; i < to; ++i) {
    const OpenEdge& edge = t.open_edges[i];
    if (edge.told && edge.kind == Kind::kCall)
      append_event(t.block, Kind::kCall, edge.address, edge.place);
  }
  return true;
}

// Memory that was allocated and freed, with the calls around it; and calls of which one edge alone
// was withheld.
void tell_memory_and_calls(Thread& t) {
  Withheld& withheld = t.withheld;
  auto* units = reinterpret_cast<log::LogUnit*>(withheld.block.ring);
  std::uint64_t kept = 0;
  bool keep_extension = false;
  const std::uint64_t end = withheld.block.position;
  withheld.told = end;  // to wait for room asks whether something is withheld
  if (tell_open_calls(t)) return;
  for (std::uint64_t i = 0; i < end; ++i) {
    const log::LogUnit unit = units[i];
    if (is_of(unit, Kind::kReturn) && kept > 0 && is_of(units[kept - 1], Kind::kCall)) {
      --kept;
      continue;
    }
    const bool edge = is_of(unit, Kind::kCall) || is_of(unit, Kind::kReturn);
    const bool memory = is_of(unit, Kind::kAllocate) || is_of(unit, Kind::kFree);
    const bool rest = keep_extension && continues_record(unit);
    keep_extension = memory;
    if (edge || memory || rest) units[kept++] = unit;
  }
  append_records(*t.block, units, kept);
}

void end_withheld(Thread& t) {
  t.withheld.told = t.withheld.block.position;
  t.slot->withheld_from.store(~std::uint64_t{0}, std::memory_order_release);
}

// Of the outermost call that may be a unit.
std::uint64_t outermost_unit(const Thread& t) {
  for (std::uint64_t i = 0; i < t.open_edge_count && i < kMaxOpenEdges; ++i) {
    const OpenEdge& edge = t.open_edges[i];
    if (edge.closes != Closes::kNever && edge.closes != Closes::kNoUnit) return edge.place;
  }
  return 0;
}

}  // namespace

void withhold(Thread& t) {
  t.slot->withheld_from.store(epoch_of(t), std::memory_order_release);
  begin_to_withhold(t);
}

void withhold_acquire(Thread& t, std::uint64_t lock) {
  Withheld& withheld = t.withheld;
  if (!t.withholds) return;
  if (withheld.lock_count == kMaxWithheldLocks) return tell_withheld(t);
  withheld.locks[withheld.lock_count++] = lock;
}

void withhold_release(Thread& t, std::uint64_t lock) {
  Withheld& withheld = t.withheld;
  if (!t.withholds) return;
  for (std::uint32_t i = withheld.lock_count; i > 0; --i) {
    if (withheld.locks[i - 1] != lock) continue;
    withheld.locks[i - 1] = withheld.locks[--withheld.lock_count];
    return;
  }
  tell_withheld(t);
}

// Only code of the other front, which looks for no other ring, runs out of room there: what it
// appends is told with the next epoch.
bool begin_withheld_anew(log::ThreadBlock* block) {
  if (block->runtime == 0) return false;
  Thread& t = *reinterpret_cast<Thread*>(block->runtime);
  if (block != &t.withheld.block) return false;
  tell_withheld(t);
  block->position = t.withheld.told = 0;
  return true;
}

bool leave_out(Thread& t, std::uint64_t function) {
  Withheld& withheld = t.withheld;
  if (withheld.lock_count != 0) {
    tell_withheld(t);
    return false;
  }
  withheld.before->in_vain = 0;
  withhold_no_more(t);
  if (withheld.has_memory || withheld.in_told_call) {
    tell_memory_and_calls(t);
    append_event(t.block, Kind::kReturn, 0, function);
  }
  end_withheld(t);
  return true;
}

void leave_out_before_barrier(Thread& t) {
  if (!t.withholds) return;
  if (t.withheld.lock_count != 0) return tell_withheld(t);
  withhold_no_more(t);
  tell_memory_and_calls(t);
  end_withheld(t);
}

void withhold_behind_barrier(Thread& t) {
  if (!g_log.leaves_out) return;
  note_who_has_ended(t);
  if (t.company.open_units == 0 || t.withholds) return;
  if (!may_withhold(t, outermost_unit(t))) return;
  withhold(t);
  t.withheld.in_told_call = true;
  const std::uint64_t told = t.withheld.told_edges = t.open_edge_count;
  if (told > 0 && told <= kMaxOpenEdges) t.open_edges[told - 1].barrier_inside = true;
}

// A signal may have come between a unit and its position: then that one is told the next time.
void tell_withheld(Thread& t) {
  settle_leaf(t);
  Withheld& withheld = t.withheld;
  if (t.withholds) {
    withhold_no_more(t);
    withheld.marks_left = true;
    WithheldBefore& before = *withheld.before;
    const bool too_long = withheld.block.limit - withheld.block.position < kLongestRecord;
    if (before.in_vain < kMostInVain) ++before.in_vain;
    if (too_long) before.in_vain = kMostTooLong;
    before.pause = (1u << before.in_vain) - 1;
  }
  const std::uint64_t from = withheld.told, to = withheld.block.position;
  withheld.told = to;  // to wait for room comes here again
  const auto* units = reinterpret_cast<const log::LogUnit*>(withheld.block.ring);
  append_records(*t.block, units + from, to - from);
  t.slot->withheld_from.store(~std::uint64_t{0}, std::memory_order_release);
}

}  // namespace isosan::rt
