// Words that several threads read: how they become so, and who comes after whom by that (rule 6).
//
// Who reads a read-shared word comes after all its writers; who writes to it comes after all its
// readers. Neither is kept for each word: a clock of all writers, whose states are counted (a word
// has the count), and for each thread the last epoch in which it read any such word (and finer,
// where that matters, what its filter and its walks tell: words.cc).
#pragma once

#include "runtime/ownership/words.h"

namespace isosan::rt {

// The last epoch, at the latest, in which the slot's thread read this granule while it was its own.
std::uint64_t last_read_alone(const Slot& slot, std::uint64_t address);

// Before a read of a read-shared word above the limit.
void order_after_shared_writers(Thread& t, std::uint64_t address);
// Of `count` granules the first ones that are read-shared, alike, above the limit, and were all
// written by one whom this thread comes after: they may be read. 0 in modes without last writers.
std::uint64_t read_shared_granules(Thread& t, std::uint64_t address, std::uint64_t count);
// The word is held and was RdEx of another.
Word make_read_shared(Thread& t, std::uint64_t address, Word before);
// A word has become read-shared: so do those beside it, in one line of the cache, if whoever reads
// them needs no order for it. Then threads that read the line do not take it from each other. In a
// page where this happens again and again it is more than a line, up to all of it, and then such
// pages beside it ...
void share_neighbours(Thread& t, std::uint64_t address);
// ... until a word there that was read-shared is written to by itself.
void share_fewer(std::uint64_t address);
// The same of the first of `count` granules, as many as are shared at once; how many did become so.
inline constexpr std::uint64_t kSharedAtOnce = 64;
std::uint64_t share_granules(Thread& t, std::uint64_t address, std::uint64_t count);

}  // namespace isosan::rt
