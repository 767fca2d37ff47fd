#include "runtime/shadow/shadow.h"

#include "runtime/platform/os.h"
#include "runtime/shadow/pieces.h"

namespace isosan::rt {
namespace {

constexpr std::uint64_t kPage = 4096;

Pieces pieces(kShadowXor);

void map_piece(std::uint64_t piece) {
  if (pieces.map(piece)) return;
  die("cannot map the shadow memory: raise or remove the limit on address space (ulimit -v), set "
      "vm.overcommit_memory to 0 or 1, and run without other sanitizers");
}

void map_with_room_below(std::uint64_t begin, std::uint64_t end) {
  if (begin >= std::uint64_t{1} << 48) return;  // vsyscall
  map_shadow_of(begin, end - begin);
  const std::uint64_t room = std::uint64_t{1} << 36;  // mappings grow downwards
  if (begin > room) map_shadow_of(begin - room, 1);
}

}  // namespace

void map_shadow_of(std::uint64_t address, std::uint64_t size) {
  if (size == 0) return;
  const std::uint64_t last = piece_of(address + size - 1);
  for (std::uint64_t piece = piece_of(address); piece <= last && piece < kPieces; ++piece) {
    if (!pieces.has(piece)) map_piece(piece);
  }
}

void map_shadow_of_process() { for_each_mapping(map_with_room_below); }

void set_shadow(std::uint64_t address, std::uint64_t size, Word word) {
  if (size == 0) return;
  auto* words = reinterpret_cast<Word*>(shadow_address(address));
  const std::uint64_t count = ((address & (kGranule - 1)) + size + kGranule - 1) / kGranule;
  for (std::uint64_t i = 0; i < count; ++i) words[i] = word;
}

void forget_shadow(std::uint64_t address, std::uint64_t size) {
  const std::uint64_t first_page = (address + kPage - 1) & ~(kPage - 1);
  const std::uint64_t end_page = (address + size) & ~(kPage - 1);
  if (first_page >= end_page) {
    set_shadow(address, size, 0);
    return;
  }
  set_shadow(address, first_page - address, 0);
  release_pages(shadow_address(first_page), end_page - first_page);
  set_shadow(end_page, address + size - end_page, 0);
}

}  // namespace isosan::rt
