// What an access does to a shadow word: the one state machine of ownership (Octet, with epochs).
//
//   the word is                                        a read needs      a write needs
//   own, this epoch, these bytes logged in this mode   kNothing          kNothing
//   own, otherwise                                     kMark             kMark
//   nobody's                                           kTake             kTake
//   another's, in an epoch that my clock covers        kTake             kTake
//   another's RdEx, not covered                        kShare            kAskOwner
//   another's WrEx, not covered                        kAskOwner         kAskOwner
//   RdSh, counter up to my limit                       kLogShared        kAskReaders
//   RdSh, counter above my limit                       kOrderShared      kAskReaders
//   contended                                          kUseContended     kUseContended
//   held, whatever it is                               kWait             kWait
//
// A pure function, tested by enumeration (tests/unit/runtime/transition_test.cc). Single accesses,
// blocks and loops, atomic operations and the checks of both fronts follow it: the runtime calls
// it, and tests run the code that the pass emits against it. What the actions do is in claim.cc;
// what a mode adds is behind the hooks of thread/mode.h.
#pragma once

#include "runtime/contract/shadow_word.h"
#include "runtime/thread/mode.h"

namespace isosan::rt {

// What of a thread decides.
struct Actor {
  Word tag;                  // WrEx of the thread in its current epoch, all mask bits set
  Word owner;                // exclusive to the thread, of any epoch
  std::uint64_t rdsh_limit;  // read-shared words up to this counter need no order
};

enum class Action : std::uint8_t {
  kNothing,       // it is logged
  kMark,          // log it, mark the bytes
  kTake,          // take the word over, log
  kLogShared,     // log unless the filter has it
  kOrderShared,   // come after the writers, then the same
  kShare,         // hold; the word becomes read-shared; log
  kAskOwner,      // hold; bring the owner to a safe point; marker; take; log
  kAskReaders,    // hold; the same with every reader
  kUseContended,  // the mode knows
  kWait,          // somebody holds it: look again later
};

// covers(slot, epoch): does the thread's clock cover this epoch?
template <class Covers>
[[gnu::always_inline]] constexpr Action transition(Word w, const Actor& actor, Word mask, Need need,
                                                   Covers covers) {
  const bool writes = need == Need::kWrite;
  if (writes ? write_hits(w, actor.tag, mask) : read_hits(w, actor.tag, mask))
    return Action::kNothing;
  if (own(w, actor.owner)) return Action::kMark;
  if (is_held(w)) return Action::kWait;
  if (w == 0) return Action::kTake;
  if (is_exclusive(w)) {
    if (covers(slot_of(w), epoch_of(w))) return Action::kTake;
    return writes || is_written(w) ? Action::kAskOwner : Action::kShare;
  }
  if (is_contended(w)) return Action::kUseContended;
  if (writes) return Action::kAskReaders;
  return counter_of(w) <= actor.rdsh_limit ? Action::kLogShared : Action::kOrderShared;
}

}  // namespace isosan::rt
