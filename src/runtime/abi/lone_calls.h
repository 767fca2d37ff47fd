// The short way through the edges of an outermost call of a thread that is alone
// (ownership/lone_units.h): a unit of work that nobody disturbs is withheld, and thrown away. Law:
// where these give true, they did what enter_function and leave_function do.
//
// Of what others read the last store releases the ones before it: who sees that an epoch has begun
// sees that a unit is open and withheld; who sees that the unit has ended sees all it did.
#pragma once

#include <cstdint>
#include <utility>

#include "event/accessibility.h"
#include "runtime/abi/withheld_calls.h"
#include "runtime/ownership/lone_units.h"

namespace isosan::rt {

// Where threads want each other's words every unit is one: what is run unlogged is asked at fewer
// places, and torn reads would be seen more seldom.
inline constexpr std::uint32_t kUnitsUntilRest = 512;

// Nothing that the edge of an outermost call would have to see to.
inline bool is_at_rest(const Thread& t) {
  return t.company.alone && !t.company.has_met && !t.withheld.marks_left && t.nested_entries == 0 &&
         t.block->open_walks == 0 && !g_log.quiet_outside && !must_answer(t) &&
         !g_all_are_told.load(std::memory_order_relaxed);
}

inline bool was_worth_while(Thread& t, std::uint64_t function) {
  WithheldBefore& before = withheld_before(t, function);
  if (before.function != function || before.pause != 0) return false;
  t.withheld.before = &before;
  return true;
}

inline bool enter_lone_call(Thread& t, const FunctionRecord& record, std::uint64_t object,
                            Closes closes) {
  const std::uint64_t depth = t.open_edge_count,
                      function = reinterpret_cast<std::uint64_t>(&record);
  if (!g_log.leaves_out || t.company.open_units != 0 || t.block->region_depth != 0 ||
      closes != Closes::kOutermost || depth - 1 >= kMaxOpenEdges - 1 || !is_at_rest(t) ||
      record.accessibility == static_cast<std::uint8_t>(Accessibility::kPrivate) ||
      !was_worth_while(t, function)) {
    return false;
  }
  const std::uint64_t epoch = epoch_of(t);
  if (!can_begin(epoch + 1)) return false;
  push_call(t, function, object, closes);
  t.block->region_depth = 1;
  t.quiet_region = false;
  t.company.open_units = 1;
  Slot& slot = *t.slot;
  slot.units.store(slot.units.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  slot.units_epoch.store(epoch, std::memory_order_relaxed);
  slot.withheld_from.store(epoch + 1, std::memory_order_relaxed);
  begin_next_epoch(t);
  begin_to_withhold(t);
  append_withheld(t.withheld.block, log::make_unit(log::code_of(Kind::kCall), object, function));
  return true;
}

// What the unit did is told or left out.
inline void end_outermost_unit(Thread& t) {
  t.block->region_depth = 0;
  bump_epoch(t);
  t.company.open_units = 0;
  advance_units(t, 1);
  t.appends = t.company.alone ? &t.sink.block : t.block;
}

inline bool leave_lone_call(Thread& t, std::uint64_t function) {
  const std::uint64_t depth = t.open_edge_count - 1;
  const Withheld& withheld = t.withheld;
  if (!t.withholds || t.open_leaf != 0 || t.block->region_depth != 1 || t.company.open_units != 1 ||
      depth >= kMaxOpenEdges || withheld.lock_count != 0 || withheld.has_memory ||
      withheld.in_told_call || !is_at_rest(t)) {
    return false;
  }
  const OpenEdge& edge = t.open_edges[depth];
  if (edge.place != function || edge.closes != Closes::kOutermost) return false;
  t.open_edge_count = depth;
  withheld.before->in_vain = 0;
  withhold_no_more(t);
  t.withheld.told = withheld.block.position;
  t.slot->withheld_from.store(~std::uint64_t{0}, std::memory_order_relaxed);
  end_outermost_unit(t);
  if (t.company.undisturbed < kUnitsUntilRest) {
    ++t.company.undisturbed;
  } else {
    t.block->rests = 1;
  }
  return true;
}

// Before a lock is given up: is that the last thing that the outermost call does, and may the unit
// end before it?
inline bool is_last_release(Thread& t, std::uint64_t lock) {
  const LastRelease last = std::exchange(t.last_release, {});
  const std::uint64_t depth = t.open_edge_count - 1;
  if (last.lock != lock || last.units != t.slot->units.load(std::memory_order_relaxed) ||
      depth >= kMaxOpenEdges || t.company.open_units != 1 || t.company.blocked ||
      t.block->region_depth != 1 || t.open_leaf != 0 || t.nested_entries != 0) {
    return false;
  }
  const OpenEdge& edge = t.open_edges[depth];
  return edge.place == last.function && edge.closes == Closes::kOutermost;
}

// The unit ends here; what is left of its call is the return, which may be told (is_told) or not.
inline void end_unit_early(Thread& t, bool is_told) {
  OpenEdge& edge = t.open_edges[t.open_edge_count - 1];
  edge.closes = Closes::kNever;
  edge.told = is_told;
  end_outermost_unit(t);
}

// The same of one that is withheld, and keeps no other lock. False: it goes on as it was.
inline bool leave_out_before_release(Thread& t, std::uint64_t lock) {
  Withheld& withheld = t.withheld;
  if (!t.withholds || withheld.lock_count != 1 || withheld.locks[0] != lock || !is_at_rest(t))
    return false;
  withheld.lock_count = 0;
  leave_out(t, t.open_edges[t.open_edge_count - 1].place);
  end_unit_early(t, false);
  return true;
}

}  // namespace isosan::rt
