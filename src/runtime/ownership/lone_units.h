// Units of work that are in no cycle are not told (marathon): those that no living unit comes
// before.
//
// Model. A cycle of units leads through each of them: something comes before it, and the first of
// those to end ends while another one of them lives. So a unit that has ended, when no living unit
// comes before it, is in none, now or later (the pruning of conflict_graph.h); its accesses mean
// nothing, whoever looks at them. What the outermost open call of a thread does is withheld
// (withheld.h) if the thread is *alone* when it begins: nothing that it may access without meeting
// somebody comes after a living unit. When the call returns it is thrown away. It is told, and the
// rest of the call with it, if the thread meets somebody before: if a word comes to it that is not
// harmless, or if somebody asks for one of its words.
//
// Alone. A look at the others takes down their epochs, what they have met, and who has units open.
// What was done in epochs closed by then comes after no living unit any more when all units that
// were open have ended, if none of them met anybody meanwhile but the others that have ended, too;
// it is *harmless* to take over. A thread that meets what is not starts to look anew. But it is
// alone still, or again, as soon as no living unit comes before anything that has ended. That is so
// if nobody has met a unit that lives (each slot keeps those that it met alive): on a way from a
// living unit to one that has ended some unit is the last that lives, and the next one has met it.
// A unit of the thread's own does not count: who met it asked for a word of it, and it is told.
// Law: harmless(s) >= e in thread T: no living unit comes before anything that slot s did up to
// epoch e, and T's clock covers e. Alone: no living unit comes before anything T itself has done.
#pragma once

#include "runtime/ownership/thread.h"

namespace isosan::rt {

inline std::atomic<bool> g_all_are_told{false};  // units that begin from now on
void prepare_company(Thread& t);
// The child is born: it is as alone as its parent, whose units have ended with that.
void inherit_company(const Thread& parent, Thread& child);
void leave_company(Thread& t);  // the thread ends

// Calls begin and end that may be units of work.
inline void advance_units(Thread& t, std::uint64_t by) {
  std::atomic<std::uint64_t>& units = t.slot->units;
  units.store(units.load(std::memory_order_relaxed) + by, std::memory_order_release);
}
inline void tell_begin_of_units(Thread& t) {
  t.slot->units_epoch.store(epoch_of(t), std::memory_order_release);
}
inline void open_unit(Thread& t) {
  if (!g_log.leaves_out || t.company.open_units++ != 0) return;
  advance_units(t, 1);
  tell_begin_of_units(t);
}
// Where no unit is open each access is one, which is over at once: of a thread that is alone none
// is told.
inline void close_unit(Thread& t) {
  if (!g_log.leaves_out || --t.company.open_units != 0) return;
  advance_units(t, 1);
  if (t.company.alone) t.appends = &t.sink.block;
}
// The units that are open have ended, and others begin (a fork, a barrier).
inline void split_units(Thread& t) {
  if (!g_log.leaves_out || t.company.open_units == 0) return;
  advance_units(t, 2);
  tell_begin_of_units(t);
}
// The same where the thread blocks first: until it goes on, no unit is open.
void block_units(Thread& t);
void unblock_units(Thread& t);

bool is_alone(Thread& t);
// Behind a barrier, where many units have ended: what they did is harmless, if so it is.
void note_who_has_ended(Thread& t);
inline WithheldBefore& withheld_before(Thread& t, std::uint64_t function) {
  return t.withheld.functions[function / 32 % kWithheldBefore];
}
// An outermost call of this function begins: may it be withheld, and is that worth while?
bool may_withhold(Thread& t, std::uint64_t function);
// Something comes in that slot s did in this epoch or before.
void meet(Thread& t, std::uint32_t slot, std::uint64_t epoch);
inline bool is_harmless(const Thread& t, std::uint32_t slot, std::uint64_t epoch) {
  return !g_log.leaves_out || slot == t.slot->index ||
         t.company.harmless[slot].load(std::memory_order_relaxed) >= epoch;
}
inline void note_met(Thread& t, std::uint32_t slot, std::uint64_t epoch) {
  if (!is_harmless(t, slot, epoch)) meet(t, slot, epoch);
}
// ... or before all that it came after.
void note_met_all_known_to(Thread& t, const Slot& other, std::uint64_t epoch);

}  // namespace isosan::rt
