// Which open transaction reaches what: the k×k tables of the O(n k²) algorithm.
//
// Model: the transactions of a thread are numbered and totally ordered, and only an open
// transaction can close a cycle: an edge always leads into the transaction that acts now. So for
// each pair of threads (p, s) it is enough to know the earliest transaction of s that p's *open*
// transaction reaches: earliest(p, s). Everything later in s is reached too, by program order. (The
// paper keeps the pair "latest of p, earliest of s"; the first half is implied here: a row is
// emptied when its transaction ends.)
//
// Laws: earliest(p, s) < kNever only while p has a transaction open; then earliest(p, p) is its own
// number. earliest is transitively closed over all dependences inserted so far. A transaction that
// no open one reaches is never reached again (nothing can come before it any more): first_reached
// only needs to be a lower bound, and insert() tightens it when it was too low.
//
// Paper: Tunç, Dong, Pavlogiannis, "Fast Atomicity Monitoring", 2026.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/vector_clock.h"

namespace isosan {

class ReachTable {
 public:
  using Number = std::uint64_t;  // of a transaction, from 1, per thread
  using Slot = std::uint32_t;    // a thread, or several one after another (renew)
  static constexpr Number kNever = ~Number{0};

  void make_room_for(Slot thread);
  Slot capacity() const { return capacity_; }
  std::size_t bytes() const;

  // Its thread has no other transaction open.
  void begin(Epoch transaction) {
    const Slot t = transaction.thread();
    const Word bit = Word{1} << t % 64;
    earliest_[index(t, t)] = transaction.time();
    reaches_[t * words_ + t / 64] |= bit;
    reached_by_[t * words_ + t / 64] |= bit;
    first_reached_[t] = std::min(first_reached_[t], transaction.time());
  }
  void end(Slot thread);

  // False: no open transaction reaches it, now or later. True: maybe. O(1).
  bool may_be_reached(Epoch transaction) const {
    return transaction.time() >= first_reached_[transaction.thread()];
  }
  // No open transaction reaches any transaction of it, and it has none open. Then its slot can go to
  // another thread that goes on with its numbers (renew): what has the lower ones never matters
  // again.
  bool is_unreached(Slot thread) const { return first_reached_[thread] == kNever; }
  void renew(Slot thread);
  // By thread: no open transaction reaches a transaction of it with a lower number. Valid until
  // there are more threads.
  const Number* first_reached() const { return first_reached_.data(); }
  // Does the open transaction of `thread` reach it? O(1).
  bool reaches(Slot thread, Epoch transaction) const {
    return earliest(thread, transaction.thread()) <= transaction.time();
  }
  // The row of a thread: by thread t, the latest transaction of t from which a dependence to it was
  // inserted; for itself: all. The caller writes there what it has inserted.
  Number* known_by(Slot thread) { return &known_[index(thread, 0)]; }
  // False: a dependence from there to the thread with the row `known` changes nothing. O(1).
  bool has_effect(Epoch from, const Number* known) const {
    return has_effect(from, first_reached_.data(), known);
  }
  static bool has_effect(Epoch from, const Number* first_reached, const Number* known) {
    return (from.time() >= first_reached[from.thread()]) & (from.time() > known[from.thread()]);
  }

  // The two halves of inserting from -> to. find_sources: true if an open transaction reaches
  // `from` and not yet `to`. connect: those reach `to`, and all that `to` reaches. Between the two
  // the caller may give `to` a new number.
  bool find_sources(Epoch from, Epoch to);
  void connect(Epoch to);

 private:
  using Word = std::uint64_t;  // of a set of threads

  std::size_t index(Slot row, Slot column) const { return std::size_t{row} * capacity_ + column; }
  Number earliest(Slot p, Slot s) const { return earliest_[index(p, s)]; }
  Word* row_of(std::vector<Word>& sets, Slot thread) { return &sets[std::size_t{thread} * words_]; }
  void lower(Slot p, Slot s, Number number);
  template <class F>
  void in_words(F&& f);
  static constexpr Slot kFew = 8;  // the smallest capacity
  void end_of_few(Slot thread);
  template <class Words>
  void end_in(Words words, Slot thread);
  template <class Words>
  bool find_sources_in(Words words, Epoch from, Epoch to);
  template <class Words>
  void connect_in(Words words, Epoch to);

  Slot capacity_ = 0;
  std::size_t words_ = 0;         // per set of threads
  std::vector<Number> earliest_;  // [p][s]
  std::vector<Number> known_;     // [u][t]: latest transaction of t with a dependence inserted to u
  std::vector<Word> reaches_;     // [p]: the s with earliest(p, s) < kNever
  std::vector<Word> reached_by_;  // [s]: the p with earliest(p, s) < kNever
  std::vector<Number> first_reached_;  // [s]: at most the minimum of earliest(p, s) over p
  std::vector<Word> sources_;          // the set that find_sources found
};

}  // namespace isosan
