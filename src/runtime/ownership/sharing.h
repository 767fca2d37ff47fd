// Words become read-shared together with their neighbours, so that threads that read the same array
// do not take its cache lines from each other word by word.
#pragma once

#include "runtime/ownership/read_shared.h"

namespace isosan::rt {

// With the lock of g_shared_clock. Readers come after all that `other` came after, and after its
// own epochs up to `own`. True: the clock has moved.
bool raise_to_knowledge_of(const Slot& other, std::uint64_t own);
// The counter to use: a new one if the clock has moved, else the current one.
std::uint64_t next_counter(bool moved);

// A word has become read-shared. So do the others in its cache line, if their readers need no order
// for it. In a page where this happens again and again it is more than a line, up to the whole
// page, and then such pages beside it ...
void share_neighbours(Thread& t, std::uint64_t address);
// ... until a word there that was read-shared is written to by itself.
void share_fewer(std::uint64_t address);
// The same of the first of `count` granules, as many as are shared at once; how many did become so.
inline constexpr std::uint64_t kSharedAtOnce = 64;
std::uint64_t share_granules(Thread& t, std::uint64_t address, std::uint64_t count);

}  // namespace isosan::rt
