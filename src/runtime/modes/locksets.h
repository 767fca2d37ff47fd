// Locksets (atomizer, Flanagan and Freund 2008). A word is *contended* if several threads use it in
// no order that is the same in every schedule.
//
// Model. Clocks are moved by fork, join and barriers only. A word goes from thread to thread as
// usual while each thread comes after those before it by these clocks. At the first transfer without
// that order the word becomes contended: it is in the table of the log (UnorderedGranules) and has
// no owner. Whether other synchronization hands it over (the paper's thread-local (2)) is left to
// the analysis. A contended word has a guard, a lock that was held at every access to it since; or
// it has none.
//
// Law. Every access to a word that is not in the table is a both-mover. So is every access to a
// guarded word. Neither changes the phase of a region (PreCommit, PostCommit). So an access is
// logged
// - to a word that is not contended: as the first of its epoch (it shows who has used the word);
// - to a guarded word, or outside regions and without a lock: once for each set of locks held
//   (locksets only narrow);
// - to a word without a guard, in a region or with a lock: every time;
// - atomic and to a word without a guard: also if another thread has used the word since.
//
// In the log, accesses to a guarded word are ordered by its guard, those to another contended word
// by markers. The mode keeps no locksets: a word whose true lockset is not empty can be without a
// guard. Then it is logged more often than necessary.
#pragma once

#include "runtime/contract/unordered_granules.h"
#include "runtime/thread/mode.h"

namespace isosan::rt {

Mode locksets_mode(UnorderedGranules& table);

}  // namespace isosan::rt
