#include "runtime/shadow/last_writers.h"

#include "runtime/shadow/pieces.h"
#include "runtime/shadow/shadow.h"

namespace isosan::rt {
namespace {

Pieces pieces(kWritersXor);

AtomicWord& word_of(std::uint64_t address) {
  return *reinterpret_cast<AtomicWord*>(writer_address(address));
}

}  // namespace

void set_last_writer(std::uint64_t address, Word tag) {
  const std::uint64_t piece = piece_of(address);
  if (!pieces.has(piece) && !pieces.map(piece)) return;
  word_of(address).store(tag, std::memory_order_relaxed);
}

Word last_writer(std::uint64_t address) {
  if (!pieces.has(piece_of(address))) return kUnknownWriter;
  return word_of(address).load(std::memory_order_relaxed);
}

}  // namespace isosan::rt
