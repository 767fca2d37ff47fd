// Phase IIa (Penelope 4.1): every pattern that some lock-valid reordering of the run shows.
//
// Model. Memory is searched location by location: a location is a set of bytes of one slot that
// every access treats alike. For each thread the accesses in order give the *windows* that
// another thread can enter: between an access and the next one (AA, for an f that writes), and
// between a write and the next write (WW, for an f that only reads), both in one region execution.
// Windows between accesses that are further apart would be unions of these, with the
// same schedules. Windows and accesses with equal program places and lock states are one *class*;
// of each pair of classes one representative is kept, the one whose accesses were closest in the
// observed run.
//
// e is the first event of the window at which locks and demands let f happen; further ones with
// other lock states are kept as alternates (the paper's "one per locksets and histories").
//
// Reversals (ours): an access and the conflicting one of another thread that came right before
// it are swapped. Programs that check and then act often act only once in the observed
// run, because the second thread's check fails: there is no pattern, but a stale check is possible.
//
// Pairs (ours): two locations that belong together (location_pairs.h) have windows from an access of
// one to the next access of the other. What may enter is the first access of a region execution that
// writes both, or that reads both between two writes.
//
// Bounds, so that the time stays linear: kMaxClasses classes per thread and location, kMaxInstances
// members of a class (spread evenly over the run), kMaxLockChanges changes of the lockset looked at
// in a window. Pairs are searched only where Touches has all accesses at once.
#pragma once

#include <vector>

#include "event/tables.h"
#include "predict/candidate.h"

namespace isosan::predict {

std::vector<Candidate> find_cut_points(const ObservedRun& run, const Tables& tables,
                                       const SearchLimits& limits, SearchCounters& counters);

}  // namespace isosan::predict
