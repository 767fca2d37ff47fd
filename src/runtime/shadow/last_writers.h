// Who wrote the words that are only read meanwhile: what their shadow words have no room for.
//
// Model: a word for each granule: the tag of the writer (its slot and epoch), or 0: nobody wrote.
// Law: it is right for words that are read-shared, or clean (abi/shadow_word.h). Only who holds the
// shadow word stores here; who has seen that word may read. Where there is no room, nobody knows.
#pragma once

#include <cstdint>

#include "runtime/abi/shadow_word.h"

namespace isosan::rt {

inline constexpr Word kUnknownWriter = ~Word{0};

void set_last_writer(std::uint64_t address, Word tag);
Word last_writer(std::uint64_t address);

}  // namespace isosan::rt
