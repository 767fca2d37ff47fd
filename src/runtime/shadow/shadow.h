// The shadow memory: one word for each granule of user memory (contract/shadow_word.h).
//
// Mapped without reservation in pieces of 1 TiB, each when user memory first appears below it, so
// that no address is assumed. If a piece cannot be mapped, the program ends with one line.
#pragma once

#include <atomic>
#include <cstdint>

#include "runtime/contract/shadow_map.h"
#include "runtime/contract/shadow_word.h"

namespace isosan::rt {

using AtomicWord = std::atomic<Word>;

inline AtomicWord& shadow_word_at(std::uint64_t granule) {  // its first byte
  return *reinterpret_cast<AtomicWord*>(granule ^ kShadowXor);
}
inline AtomicWord& shadow_word(std::uint64_t address) {
  return shadow_word_at(granule_of(address));
}

void map_shadow_of_process();  // at start-up
void map_shadow_of(std::uint64_t address, std::uint64_t size);
// The words of these bytes read 0 again. Cheap for big blocks (whole pages are given back).
void forget_shadow(std::uint64_t address, std::uint64_t size);
void set_shadow(std::uint64_t address, std::uint64_t size, Word word);

}  // namespace isosan::rt
