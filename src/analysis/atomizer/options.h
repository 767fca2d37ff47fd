// Atomizer's options: which rules of the paper apply, with one switch for each refinement.
//
// The switches of 4.3 and 4.4 make the ladder of Fig. 18: all off is the "Basic" column, then one
// more from left to right; our own come last. RaceRule chooses among the paper's four
// semantics; the two strict ones are sound (Theorems 2 and 5) and useful on annotated code and as
// the law that tests check.
#pragma once

#include <cstdint>
#include <functional>

#include "absl/container/flat_hash_set.h"
#include "analysis/atomizer/declarations.h"
#include "event/ids.h"
#include "event/tables.h"

namespace isosan {

struct AtomizerOptions {
  enum class RaceRule : std::uint8_t {
    kDeclared,  // Fig. 8: the user gives P; a protected variable without its lock goes wrong
    kWrong,     // Fig. 11: locks are inferred, every variable needs one, any race goes wrong
    kRelaxed,   // Figs. 14 and 15: a racy access is a non-mover
  };
  RaceRule races = RaceRule::kRelaxed;
  bool thread_local_data = true;  // Fig. 13; off: every variable starts as shared-modified

  // The refinements; --atomizer-without leaves them out, one by one.
  bool reentrant_locks = true;      // 4.3
  bool thread_local_locks = true;   // 4.3
  bool thread_local_locks2 = true;  // 4.3; needs thread_local_locks
  bool protected_locks = true;      // 4.3
  bool write_protected = true;      // 4.4, Fig. 15; off: Fig. 14

  // Ours.
  bool lone_thread = true;       // live_threads.h
  bool lone_regions = true;      // live_threads.h
  bool split_at_barrier = true;  // a barrier cuts every region in two
  bool ordered_handover = true;  // thread_order.h; of thread_local_data
  bool quiet_threads = true;     // quiet_thread.h
  bool split_at_join = true;     // so does a join of a thread that is not quiet
  bool second_looks = true;      // phases.h
  bool split_at_fork = true;     // deferred_windows.h
  bool innermost = true;         // a window is of the innermost region only
  bool back_offs = true;         // a release after a failed try has no effect
  bool seen_handover = true;     // a hand-over needs an order in this run
  bool late_windows = true;      // late_windows.h; both need ordered_handover
  bool late_accesses = true;     // late_data.h; needs late_windows and seen_handover
  bool atomic_idioms = true;     // accesses.cc

  bool relaxed_atomics_move = false;  // std::memory_order_relaxed operations are both-movers
  bool once_commits = false;          // a finished once or static guard is a left-mover (strict)
  bool split_every_wait = false;      // a condition wait cuts every region in two ...
  absl::flat_hash_set<RegionId> split_at_wait;  // ... or only these

  atomizer::Declarations declarations;
  const Tables* tables = nullptr;  // if set, its annotations are declarations, too
  // Findings of this region are not shown: its window is also that of the region around.
  std::function<bool(RegionId)> is_suppressed;

  // --atomizer-without all: the lockset states of Fig. 13 and the relaxed reduction of Fig. 14 alone.
  static AtomizerOptions basic() {
    AtomizerOptions options;
    options.reentrant_locks = options.thread_local_locks = options.thread_local_locks2 =
        options.protected_locks = options.write_protected = options.lone_thread =
            options.lone_regions = options.split_at_barrier = options.ordered_handover =
                options.quiet_threads = options.split_at_join = options.second_looks =
                    options.split_at_fork = options.innermost = options.back_offs =
                        options.seen_handover = options.late_windows = options.late_accesses =
                            options.atomic_idioms = false;
    return options;
  }

  // Figs. 8 and 11 to the letter: what they admit is serializable.
  static AtomizerOptions strict(RaceRule races) {
    AtomizerOptions options = basic();
    options.races = races;
    options.thread_local_data = false;
    options.once_commits = true;
    return options;
  }
};

}  // namespace isosan
