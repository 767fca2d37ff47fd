// Quiet runs: a transaction that is in no cycle, now or later, never leaves its thread (drops.h says
// which those are). For every analysis that decides serializability of what happened.
//
//   state      the thread is          what it appends                 becomes
//   kClear     outside, clear         nothing: accesses go to the     kBuffered at a region's begin;
//                                     sink, the rest is taken back    kKept by a dependence
//   kBuffered  in a quiet             above `visible`, and is taken   kClear at its end; kLogged by a
//              transaction            back at the end                 dependence, or if it is asked
//   kLogged    in another one         for the reader                  kClear or kKept at its end
//   kKept      outside, not clear     for the reader                  kClear at a region's begin, if
//                                                                     all before it is dropped; else
//                                                                     kLogged
//
// The buffer of a transaction is its thread's ring. The reader reads up to ThreadBlock::visible. To
// take a transaction back is to set the position back. To log it is to raise `visible`, which
// another thread may do, too: both have the slot's lock.
//
// Clock law here: a clock covers an epoch if a marker leads to it, or if it is dropped.
//
// Order of what was logged and then dropped. A thread that takes a word from a dropped transaction
// writes no marker. But that transaction, or one before it, may stand in a log. So all that was
// logged and dropped is counted (generation); a thread that finds the count moved writes order
// markers to all threads' logs as far as they are visible. What is visible has happened, so such an
// order is never wrong.
#pragma once

#include "runtime/thread/mode.h"

namespace isosan::rt {

Mode quiet_mode();

}  // namespace isosan::rt
