// Units of work (marathon): every call may be one.
//
// Model: an access belongs to a unit that is open for at least as long as the call that makes it
// (analysis/marathon/unit_stack.h). So what an open call has logged need not be logged again in the
// calls inside it: these end no epoch. When a call returns, what was logged *in it* is forgotten:
// those bytes count as not logged, but the word keeps its owner and epoch. A call in which nothing
// is logged does not matter: a call is logged only when the first event in it is.
//
// How. At every edge the mode looks at the units appended to the ring since the last edge. At a
// call they are kept for the caller; at a return they are forgotten, with what was kept for the
// callee. Units of an epoch that is over are skipped: they count as logged nowhere
// (Thread::epoch_position). While a call is not logged yet, the block seems to have no room. So the
// next append asks for room, finds the calls and logs them. Law: forgetting too much costs entries,
// forgetting too little loses accesses. So the epoch ends instead where a list is long or a block
// large.
//
// Outside all such calls (main, thread entries) an access may be a unit of its own: the outermost
// such function is a region (calls/regions.h), whose edges end the epoch.
#pragma once

#include "runtime/thread/mode.h"

namespace isosan::rt {

Mode units_mode();

}  // namespace isosan::rt
