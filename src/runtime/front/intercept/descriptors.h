// File descriptors as memory, for analyses that look at races: a call reads the descriptor, close
// writes it. So close races with a use that nothing orders.
//
// Model: each number stands for 8 bytes. After close, and whenever the number stands for another
// file than at its last use, these are a new location: not every call that opens or closes is seen.
// dup2 is only a use of both: programs put another file into the place of one that is in use.
#pragma once

#include <cstdint>

namespace isosan::rt {

struct Thread;

void use_descriptor(Thread* t, int fd, std::uint64_t place);  // before the real call; null: nothing

}  // namespace isosan::rt
