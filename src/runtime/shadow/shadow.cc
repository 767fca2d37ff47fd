#include "runtime/shadow/shadow.h"

#include "runtime/platform/os.h"
#include "runtime/shadow/pieces.h"

namespace isosan::rt {
namespace {

constexpr std::uint64_t kPage = 4096;

Pieces pieces(kShadowXor);

// What one fault maps, in bytes of the shadow.
constexpr std::uint64_t kTouched = 16 * kPage;

bool by_need = false;
bool no_room = false;  // for a piece of the process, at start-up

// Calls f(piece) for the pieces of these bytes that are not there yet.
template <class F>
void for_missing_pieces(std::uint64_t address, std::uint64_t size, F f) {
  if (size == 0) return;
  const std::uint64_t last = piece_of(address + size - 1);
  for (std::uint64_t piece = piece_of(address); piece <= last && piece < kPieces; ++piece) {
    if (!pieces.has(piece)) f(piece);
  }
}

void map_or_note(std::uint64_t piece) {
  if (by_need) return pieces.leave_to_faults(piece);
  if (!pieces.map(piece)) no_room = true;
}

void map_with_room_below(std::uint64_t begin, std::uint64_t end) {
  if (begin >= std::uint64_t{1} << 48) return;  // vsyscall
  for_missing_pieces(begin, end - begin, map_or_note);
  const std::uint64_t room = std::uint64_t{1} << 36;  // mappings grow downwards
  if (begin > room) for_missing_pieces(begin - room, 1, map_or_note);
}

}  // namespace

void die_without_shadow() {
  die("cannot map the shadow memory: raise or remove the limit on address space (ulimit -v), set "
      "vm.overcommit_memory to 0 or 1, and run without other sanitizers");
}

bool map_shadow_of(std::uint64_t address, std::uint64_t size) {
  bool mapped = true;
  for_missing_pieces(address, size, [&](std::uint64_t piece) { mapped &= pieces.map(piece); });
  return mapped;
}

bool map_shadow_of_process() {
  for_each_mapping(map_with_room_below);
  return !no_room;
}

void map_shadow_by_need() {
  by_need = true;
  for_each_mapping(map_with_room_below);
}

bool shadow_is_by_need() { return by_need; }

// A part of it may be there: then only its page is tried. Another thread may have mapped that meanwhile.
bool map_touched_shadow(std::uint64_t address) {
  if (!by_need || piece_of(address) >= kPieces || !pieces.has(piece_of(address ^ kShadowXor)))
    return false;
  const std::uint64_t page = address & ~(kPage - 1);
  if (map_fixed(address & ~(kTouched - 1), kTouched) || map_fixed(page, kPage)) return true;
  if (!is_mapped(page)) die_without_shadow();
  return true;
}

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
