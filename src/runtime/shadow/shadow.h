// The shadow memory: one word for each granule of user memory (contract/shadow_word.h).
//
// Mapped without reservation in pieces of 1 TiB, each when user memory first appears below it, so
// that no address is assumed. If a piece cannot be mapped, the program ends with one line.
//
// Under a limit on address space (ulimit -v) no piece can be mapped. Then the program may run
// unobserved with the shadow by need: compiled code reads it all the same, and the handler of the
// fault maps the few pages around what was read. Nobody writes there, so the words stay 0.
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

bool map_shadow_of_process();  // at start-up; false: there is no room
void map_shadow_by_need();     // from now on; before the program runs
bool shadow_is_by_need();
// A fault at this address: is it in the shadow of memory that the program has? Then it is mapped.
bool map_touched_shadow(std::uint64_t address);
[[noreturn]] void die_without_shadow();
// Of new memory of the program; false: there is no room.
bool map_shadow_of(std::uint64_t address, std::uint64_t size);
// The words of these bytes read 0 again. Cheap for big blocks (whole pages are given back).
void forget_shadow(std::uint64_t address, std::uint64_t size);
void set_shadow(std::uint64_t address, std::uint64_t size, Word word);

}  // namespace isosan::rt
