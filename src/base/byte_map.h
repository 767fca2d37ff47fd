// State per location, exact to the byte.
//
// Model: memory is cut into granules of 8 bytes. A granule holds *pieces*: disjoint groups of bytes
// that every access so far has treated alike, each with one Cell. An access that covers a piece
// only in part splits it; both halves start with a copy of its Cell. So a Cell always stands for
// bytes with the same history, and two accesses meet in a Cell exactly when they share a byte. The
// usual granule (one variable, always accessed whole) has one piece and never splits.
//
// Law: visit(a, n, f) calls f for pieces that together are exactly the bytes [a, a + n).
// f takes (Cell&), or (Cell&, PieceBytes) where it wants to know which bytes the piece stands for.
// Not here: what a Cell means. Cells are value types; a fresh one is Cell{}.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"

namespace isosan {

struct PieceBytes {
  std::uint64_t granule = 0;  // address / 8
  std::uint8_t mask = 0;      // bit i: the byte at granule * 8 + i

  std::uint64_t first() const {
    return granule * 8 + static_cast<std::uint64_t>(std::countr_zero(mask));
  }
  std::uint64_t count() const { return static_cast<std::uint64_t>(std::popcount(mask)); }
};

template <class Cell>
class ByteMap {
 public:
  // Calls f for each piece of [address, address + size), in address order of granules.
  template <class F>
  void visit(std::uint64_t address, std::uint64_t size, F&& f) {
    const std::uint64_t offset = address & 7;
    if (offset + size <= 8) [[likely]] {
      visit_granule(address >> 3, byte_mask(offset, size), f);
      return;
    }
    visit_range(address, size, f);
  }

  // Forgets everything about [address, address + size): the bytes are new locations.
  void reset(std::uint64_t address, std::uint64_t size) {
    const std::uint64_t end = address + size;
    while (address < end) {
      const std::uint64_t page_end = ((address / kPageBytes) + 1) * kPageBytes;
      const std::uint64_t stop = page_end < end ? page_end : end;
      reset_in_page(address, stop);
      address = stop;
    }
  }

  std::size_t live_pages() const { return pages_.size(); }

 private:
  struct Piece {
    std::uint8_t mask = 0;
    Cell cell{};
  };
  struct Granule {
    Piece first;                               // mask 0: nothing known
    std::unique_ptr<std::vector<Piece>> rest;  // further pieces; masks are pairwise disjoint
  };
  static constexpr std::uint64_t kPageGranules = 64;
  static constexpr std::uint64_t kPageBytes = kPageGranules * 8;
  static constexpr std::size_t kCacheSize = 256;
  struct Page {
    std::array<Granule, kPageGranules> granules;
  };
  struct CacheEntry {
    std::uint64_t number = ~std::uint64_t{0};
    Page* page = nullptr;
  };

  static constexpr std::uint8_t byte_mask(std::uint64_t offset, std::uint64_t size) {
    return static_cast<std::uint8_t>(((1u << size) - 1u) << offset);
  }

  Page& page_of(std::uint64_t granule) {
    const std::uint64_t number = granule / kPageGranules;
    CacheEntry& cached = cache_[number % kCacheSize];
    if (cached.number != number) [[unlikely]] {
      std::unique_ptr<Page>& page = pages_[number];
      if (!page) page = std::make_unique<Page>();
      cached = {number, page.get()};
    }
    return *cached.page;
  }

  template <class F>
  static void call(F& f, Piece& piece, std::uint64_t number) {
    if constexpr (std::is_invocable_v<F&, Cell&, PieceBytes>) {
      f(piece.cell, PieceBytes{number, piece.mask});
    } else {
      f(piece.cell);
    }
  }

  template <class F>
  void visit_granule(std::uint64_t number, std::uint8_t mask, F& f) {
    Granule& granule = page_of(number).granules[number % kPageGranules];
    if (granule.first.mask == mask) [[likely]] {
      call(f, granule.first, number);
      return;
    }
    visit_pieces(granule, number, mask, f);
  }

  template <class F>
  [[gnu::noinline]] static void visit_pieces(Granule& granule, std::uint64_t number,
                                             std::uint8_t mask, F& f) {
    if (granule.first.mask == 0) {
      granule.first.mask = mask;
      call(f, granule.first, number);
      return;
    }
    if (!granule.rest) granule.rest = std::make_unique<std::vector<Piece>>();
    std::vector<Piece>& rest = *granule.rest;
    std::uint8_t left = mask;
    split(granule.first, mask, rest);
    if (granule.first.mask & mask) {
      left = static_cast<std::uint8_t>(left & ~granule.first.mask);
      call(f, granule.first, number);
    }
    for (std::size_t i = 0; i < rest.size() && left != 0;
         ++i) {  // split() may append: index, not iterator
      if ((rest[i].mask & mask) == 0) continue;
      Piece piece = std::move(rest[i]);
      split(piece, mask, rest);
      rest[i] = std::move(piece);
      left = static_cast<std::uint8_t>(left & ~rest[i].mask);
      call(f, rest[i], number);
    }
    if (left != 0) {
      rest.push_back({left, Cell{}});
      call(f, rest.back(), number);
    }
  }

  // Leaves in `piece` only bytes of `mask` (if it has any); the others go to `rest` with the same
  // history.
  static void split(Piece& piece, std::uint8_t mask, std::vector<Piece>& rest) {
    const auto inside = static_cast<std::uint8_t>(piece.mask & mask);
    if (inside == 0 || inside == piece.mask) return;
    rest.push_back({static_cast<std::uint8_t>(piece.mask & ~mask), piece.cell});
    piece.mask = inside;
  }

  template <class F>
  [[gnu::noinline]] void visit_range(std::uint64_t address, std::uint64_t size, F& f) {
    const std::uint64_t end = address + size;
    while (address < end) {
      const std::uint64_t offset = address & 7;
      const std::uint64_t length = end - address < 8 - offset ? end - address : 8 - offset;
      visit_granule(address >> 3, byte_mask(offset, length), f);
      address += length;
    }
  }

  void reset_in_page(std::uint64_t address, std::uint64_t end) {
    const std::uint64_t number = address / kPageBytes;
    const auto found = pages_.find(number);
    if (found == pages_.end()) return;
    if (end - address == kPageBytes) {
      cache_[number % kCacheSize] = {};
      pages_.erase(found);
      return;
    }
    for (; address < end;) {
      const std::uint64_t offset = address & 7;
      const std::uint64_t length = end - address < 8 - offset ? end - address : 8 - offset;
      reset_bytes(found->second->granules[(address >> 3) % kPageGranules],
                  byte_mask(offset, length));
      address += length;
    }
  }

  static void reset_bytes(Granule& granule, std::uint8_t mask) {
    if ((granule.first.mask & ~mask) == 0 && !granule.rest) {
      if (granule.first.mask != 0) granule.first = Piece{};
      return;
    }
    auto forget = [](Cell& cell) { cell = Cell{}; };
    visit_pieces(granule, 0, mask,
                 forget);  // splits as an access would, then forgets the bytes inside
  }

  absl::flat_hash_map<std::uint64_t, std::unique_ptr<Page>> pages_;
  std::array<CacheEntry, kCacheSize> cache_{};
};

}  // namespace isosan
