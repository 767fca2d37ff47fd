// Locks that the program makes of atomics (atomizer.md, "Made locks").
//
// Model: MadeLocks stands before atomizer and hands on the same events in the same order. A *lock
// word* is taken by an exchange or a compare-exchange that changes it, and given up by an atomic
// store of the same thread; nobody else changes it in between. These two become an acquire and a
// release of a lock at its address. A store without a look at the value would lose what another
// thread had written meanwhile, so whoever stores like that relies on being the only one.
//
// A *look* is a load of a lock word, or a try that failed (a read-modify-write that stored what it had
// read), by a thread that does not hold it. A failed try does not count. Nor does a load that the
// thread repeats, or after which it takes the lock, if it acted on nobody in between. What does not
// count becomes a relaxed fence, which orders nothing.
//
// Law: acquires and releases that are made here alternate on each word, each pair by one thread.
// A word that is changed in another way is none from then on, until its memory is used anew: a
// counter, a list, a flag that another thread resets. Whether a change takes a lock shows only at
// the next change of the word, so events are held back until then; no more than kMostHeld and one
// batch: what is not decided by then counts as what it is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "absl/container/btree_map.h"
#include "event/event.h"

namespace isosan {

class MadeLocks {
 public:
  static constexpr std::size_t kMostHeld = 1 << 18;

  // What is decided by now. Valid until the next call.
  struct Decided {
    std::span<const Event> events;
    std::uint64_t first_ordinal = 0;
  };

  Decided take(std::span<const Event> batch, std::uint64_t first_ordinal);
  Decided finish();  // all the rest

 private:
  static constexpr std::uint64_t kNone = ~std::uint64_t{0};
  struct Look {
    std::uint64_t ordinal = 0;
    ThreadId thread{};
    std::uint64_t effects = 0;  // of the thread, before it
    bool is_repeated = false;   // or failed: does not count if the word is a lock
  };
  struct Word {
    std::uint64_t size = 0;
    bool is_lock = false;         // it was taken and given up
    bool is_refused = false;      // it is no lock; the rest means nothing
    std::uint64_t taken = kNone;  // ordinal of the change that may take the lock
    ThreadId holder{};            // if it is taken
    std::vector<Look> looks;      // that are not decided
  };
  using Words = absl::btree_map<Address, Word>;

  void judge(Event& e, std::uint64_t ordinal);
  void change(Event& e, std::uint64_t ordinal);
  void give_up(Event& e);
  void look(const Event& e, std::uint64_t ordinal);
  void repeat_looks(Word& word, ThreadId thread);
  void leave_repeated_out(Word& word);
  void refuse(Word& word);
  void forget_words(Address address, std::uint64_t size);
  void forget_before(std::uint64_t ordinal);
  std::uint64_t& effects_of(ThreadId thread);
  Event& at(std::uint64_t ordinal) { return held_[ordinal - first_]; }

  void drop_handed_out();
  Decided hand_out(std::uint64_t until);

  Words words_;                                        // by address
  absl::btree_map<std::uint64_t, Address> undecided_;  // ordinals of looks and of Word::taken
  std::vector<std::uint64_t> effects_;                 // by thread: how often it acted on others
  std::vector<Event> held_;
  std::size_t handed_out_ = 0;  // of held_
  std::uint64_t first_ = 0;     // ordinal of held_[0]
};

}  // namespace isosan
