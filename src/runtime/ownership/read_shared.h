// Words that several threads read, and the order that this gives.
//
// A thread that reads a read-shared word comes after all its writers. A thread that writes to it
// comes after all its readers. Neither is kept for each word. The writers have one clock, whose
// states are counted: a word has the count, and a thread that comes after the clock up to a count
// (its limit) may read all words up to that. Each reader keeps the last epoch in which it read any
// such word. Where that is too coarse, its filter and its walks give a finer answer (readers.h).
#pragma once

#include "runtime/ownership/words.h"
#include "runtime/platform/spin_lock.h"

namespace isosan::rt {

struct SharedClock {
  // writers[s]: a thread that wants to read any of the read-shared words made so far comes after
  // this epoch of slot s. The counter numbers the states of this array; it moves only when they do.
  std::atomic<std::uint64_t> writers[kMaxSlots];
  // The last epoch in which slot s read a word that was its own then, and is read-shared now. A
  // thread that writes to such a word comes after it.
  std::atomic<std::uint64_t> former_readers[kMaxSlots];
  std::atomic<std::uint64_t> counter{1};
  SpinLock lock;  // the writers and their counter move together
};
extern SharedClock g_shared_clock;

// With the lock. True: the entry has moved.
bool raise(std::atomic<std::uint64_t>& entry, std::uint64_t epoch);

void set_shared_limit(Thread& t, std::uint64_t counter);
bool comes_after_shared_writers(const Thread& t);  // all that there are

// Of a RdEx word: in which epoch its owner wrote last, at the latest. 0: not since it came to it.
std::uint64_t last_written(Word w);
// May a RdEx word of another be read without coming after anything more?
bool needs_no_order(const Thread& t, Word w);

}  // namespace isosan::rt
