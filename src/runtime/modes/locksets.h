// Contended words, where locksets are asked for (atomizer, Flanagan and Freund 2008): what several
// threads use in no order that is the same in every schedule.
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

#include <cstdint>

#include "runtime/ownership/claim.h"

namespace isosan::rt {

// The word is held and was exclusive to another, or read-shared. True: this access makes it
// contended (and it is held no more). Never where locksets are not asked for.
bool contend(Thread& t, std::uint64_t address, Word before, Need need);
// An access to a word that is contended: is it to be logged?
bool is_news_of_contended(Thread& t, std::uint64_t address, Word mask, Need need);

}  // namespace isosan::rt
