// Units of work (marathon): every call may be one.
//
// Model: an access belongs to a unit that is open for at least as long as the call that makes it
// (analysis/marathon/unit_stack.h). So what an open call has logged need not be logged again in the
// calls inside of it: they close no epoch. When it returns, what was logged *in it* is forgotten:
// those bytes are not logged any more, the word stays whose it is and of which epoch. And a call in
// which nothing is logged means nothing: it is told with the first thing that is.
//
// How. At every edge the units appended since the last one are looked at in the ring: at a call
// they are kept for the caller, at a return forgotten with what was kept for the callee. What is of
// an epoch that is over is neither: it counts as logged nowhere (Thread::epoch_position). A call
// that is not logged yet leaves the block without room, so that the next append asks for some,
// finds the calls and logs them. Law: to forget too much costs entries, to forget too little loses
// accesses; so long lists and large blocks close the epoch instead.
//
// Outside of all such calls (main, thread entries) an access may be a unit of its own: the
// outermost one is a region (calls/regions.h), whose edges close the epoch.
#pragma once

#include "runtime/thread/mode.h"

namespace isosan::rt {

Mode units_mode();

}  // namespace isosan::rt
