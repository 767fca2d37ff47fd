// What the open calls of a thread have logged: for units of work (marathon), where every call may
// be one.
//
// Model: an access belongs to a unit that is open for at least as long as the call that makes it
// (analysis/marathon/unit_stack.h). So what an open call has logged need not be logged again in the
// calls inside of it: they close no epoch. When it returns, what was logged *in it* is forgotten:
// those bytes are not logged any more, the word stays whose it is and of which epoch. And a call in
// which nothing is logged means nothing: it is told with the first thing that is.
//
// How. At every edge the units appended since the last one are looked at in the ring: at a call
// they are kept for the caller, at a return forgotten with what was kept for the callee. What is of
// an epoch that is over is neither: it counts as logged nowhere (drop_logged). A call
// that is not told yet leaves the block without room, so that the next append asks for some, finds
// the calls and tells them. Law: to forget too much costs entries, to forget too little loses
// accesses; so long lists and large blocks close the epoch instead.
//
// Outside of all such calls (main, thread entries) an access may be a unit of its own: the
// outermost one is a region (calls/call_stack.h), whose edges close the epoch.
#pragma once

#include "runtime/thread/thread.h"

namespace isosan::rt {

// The thread calls: what was logged is the caller's.
void keep_logged(Thread& t);
// The thread returns from a call before which `before` were logged: forget the others.
void forget_logged(Thread& t, std::uint64_t before);

// There is a call that is not told: appending has to ask. And: there is none.
inline void take_room(Thread& t) {
  log::ThreadBlock& block = *t.block;
  if (block.limit == ~std::uint64_t{0}) return;  // nobody reads
  if (block.limit != block.position) t.room = block.limit;
  block.limit = block.position;
}
inline void give_room_back(Thread& t) {
  log::ThreadBlock& block = *t.block;
  if (block.limit == block.position && t.room > block.position) block.limit = t.room;
}

void tell_open_calls(const log::ThreadBlock* block);

}  // namespace isosan::rt
