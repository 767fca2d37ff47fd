// What Atomizer can be told: the rules of the paper that hold, each refinement a switch of its own.
//
// The switches of 4.3 and 4.4 make the ladder of Fig. 18: all off is the "Basic" column, then one
// more from left to right; one of ours is the last. RaceRule chooses among the paper's four
// semantics; the two strict ones are sound (Theorems 2 and 5) and useful on annotated code and as
// the law that tests check.
#pragma once

#include <cstdint>

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

  bool reentrant_locks = true;      // 4.3, --no-reentrant
  bool thread_local_locks = true;   // 4.3, --no-thread-local-locks
  bool thread_local_locks2 = true;  // 4.3, --no-thread-local-locks2; needs thread_local_locks
  bool protected_locks = true;      // 4.3, --no-protected-locks
  bool write_protected = true;      // 4.4, Fig. 15, --no-write-protected; off: Fig. 14

  bool lone_thread = true;  // ours (lone_thread.h), --no-lone-thread

  bool relaxed_atomics_move = false;  // std::memory_order_relaxed operations are both-movers
  bool once_commits = false;          // a finished once or static guard is a left-mover (strict)
  bool split_every_wait = false;      // a condition wait cuts every region in two ...
  absl::flat_hash_set<RegionId> split_at_wait;  // ... or only these

  atomizer::Declarations declarations;
  const Tables* tables = nullptr;  // set: what it says of functions and sites is declared, too

  // --atomizer-basic: the lockset states of Fig. 13 and the relaxed reduction of Fig. 14 alone.
  static AtomizerOptions basic() {
    AtomizerOptions options;
    options.reentrant_locks = options.thread_local_locks = options.thread_local_locks2 =
        options.protected_locks = options.write_protected = options.lone_thread = false;
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
