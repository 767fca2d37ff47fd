// Locksets (atomizer, Flanagan and Freund 2008): contended words, which several threads use in no
// order that is the same in every schedule.
//
// Model. Clocks are moved by fork, join and barriers alone. A word goes from thread to thread as
// ever while each comes after those before by these clocks. Once it need not (the paper's
// thread-local (2)); the next time it is contended, in the table of the log (UnorderedGranules),
// and nobody's. A contended word has a guard: a lock that was held at every access to it since, or
// none. Law. What is not in the table was a both-mover each time, and so was what its guard was
// held for: neither moves the phase of a region (PreCommit, PostCommit). So an access is logged
//   to a word that is not contended: as the first of its epoch (who used it so far);
//   to a guarded one, or outside regions: once for each set of locks held (locksets only narrow);
//   to one without a guard, in a region: every time.
// In the log, accesses to a guarded word are ordered by its guard, those to another one by markers.
// What it does not do: keep a lockset. A word whose true lockset is not empty can be without a
// guard; it is logged more often than need be.
#pragma once

#include "runtime/contract/unordered_granules.h"
#include "runtime/thread/mode.h"

namespace isosan::rt {

Mode locksets_mode(UnorderedGranules& table);

}  // namespace isosan::rt
