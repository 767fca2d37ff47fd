#include "runtime/shadow/granule_tags.h"

#include "runtime/shadow/shadow.h"

namespace isosan::rt {
namespace {

AtomicWord& word_at(std::uint64_t address, std::uint64_t flipped) {
  return *reinterpret_cast<AtomicWord*>((address & ~(kGranule - 1)) ^ flipped);
}

}  // namespace

GranuleTags last_writers(kWritersXor);
GranuleTags former_readers(kReadersXor);

bool GranuleTags::set(std::uint64_t address, Word tag) {
  const std::uint64_t piece = piece_of(address);
  if (!pieces_.has(piece) && !pieces_.map(piece)) return false;
  word_at(address, flipped_).store(tag, std::memory_order_relaxed);
  return true;
}

Word GranuleTags::get(std::uint64_t address) const {
  if (!pieces_.has(piece_of(address))) return kUnknownTag;
  return word_at(address, flipped_).load(std::memory_order_relaxed);
}

}  // namespace isosan::rt
