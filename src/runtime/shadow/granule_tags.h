// A tag (a slot and an epoch) beside the shadow word of a granule: what the word has no room for
// while the granule is only read. There are two maps: the thread that wrote the granule last, and
// the thread that had it exclusively before it became read-shared (or before it went to another
// thread in no order: modes/locksets.h).
//
// Law: the tags are right for read-shared words; the writer's also for clean words
// (contract/shadow_word.h). Only the thread that holds the shadow word stores here; a thread that
// has loaded that word may read. Where a map has no memory, no tag is known.
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
