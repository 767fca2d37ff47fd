#include "runtime/shadow/shadow.h"

#include "runtime/platform/os.h"

namespace isosan::rt {
namespace {

constexpr int kPieceShift = 40;
constexpr std::uint64_t kPieces = std::uint64_t{1} << (48 - kPieceShift);
constexpr std::uint64_t kPage = 4096;

std::atomic<std::uint8_t> mapped[kPieces];  // 0: no, 1: being mapped, 2: yes

void map_piece(std::uint64_t piece) {
  std::uint8_t expected = 0;
  if (!mapped[piece].compare_exchange_strong(expected, 1, std::memory_order_acq_rel)) {
    while (mapped[piece].load(std::memory_order_acquire) == 1) yield_cpu();
    return;
  }
  std::uint64_t begin = (piece << kPieceShift) ^ kShadowXor;
  std::uint64_t size = std::uint64_t{1} << kPieceShift;
  // User space ends one page early on some kernels.
  if (!map_fixed(begin, size) && !map_fixed(begin, size - 16 * kPage)) {
    die("cannot map the shadow memory: raise or remove the limit on address space (ulimit -v), set "
        "vm.overcommit_memory to 0 or 1, and run without other sanitizers");
  }
  mapped[piece].store(2, std::memory_order_release);
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
  const std::uint64_t last = (address + size - 1) >> kPieceShift;
  for (std::uint64_t piece = address >> kPieceShift; piece <= last && piece < kPieces; ++piece) {
    if (mapped[piece].load(std::memory_order_acquire) != 2) map_piece(piece);
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
