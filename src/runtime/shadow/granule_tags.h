// A tag (a slot and an epoch) beside the shadow word of a granule: what that has no room for, while
// the granule is only read. Two maps: who wrote it last, and who had it alone before it was
// read-shared (or went to another in no order: modes/locksets.h).
//
// Law: they are right for words that are read-shared, or (the writer) clean
// (contract/shadow_word.h). Only who holds the shadow word stores here; who has seen that word may
// read. Where there is no room, nobody knows.
#pragma once

#include <cstdint>

#include "runtime/contract/shadow_map.h"
#include "runtime/contract/shadow_word.h"
#include "runtime/shadow/pieces.h"

namespace isosan::rt {

inline constexpr Word kUnknownTag = ~Word{0};

class GranuleTags {
 public:
  explicit constexpr GranuleTags(std::uint64_t flipped) : flipped_(flipped), pieces_(flipped) {}

  bool set(std::uint64_t address, Word tag);  // false: there is no room
  Word get(std::uint64_t address) const;      // 0: nobody

 private:
  const std::uint64_t flipped_;
  Pieces pieces_;
};

extern GranuleTags last_writers;
extern GranuleTags former_readers;

}  // namespace isosan::rt
