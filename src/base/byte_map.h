// State per location, exact to the byte.
//
// Model: memory is cut into granules of 8 bytes. A granule holds *pieces*: disjoint groups of bytes
// that every access so far has treated alike, each with one Cell. An access that covers a piece
// only in part splits it; both halves start with a copy of its Cell. So a Cell always stands for
// bytes with the same history, and two accesses meet in a Cell exactly when they share a byte. The
// usual granule (one variable, always accessed whole) has one piece and never splits.
//
// A piece costs sizeof(Cell) + 8 bytes (rounded up to whole cache lines where that is at most 8
// more), whether it is the first of its granule or a further one.
//
// Law: visit(a, n, f) calls f for pieces that together are exactly the bytes [a, a + n).
// f takes (Cell&), or (Cell&, PieceBytes) where it wants to know which bytes the piece stands for.
// Not here: what a Cell means. Cells are value types; a fresh one is Cell{}.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <type_traits>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "base/check.h"

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
  // The cell of [address, address + size) if these bytes are one piece; otherwise nullptr: visit().
  [[gnu::always_inline]] Cell* whole(std::uint64_t address, std::uint64_t size) {
    Granule& granule = page_of(address >> 3).granules[(address >> 3) % kPageGranules];
    const auto shape = static_cast<std::int64_t>(size << 3 | (address & 7));
    return granule.shape == shape ? &granule.cell : nullptr;
  }

  // Calls f for each piece of [address, address + size), in address order of granules.
  template <class F>
  void visit(std::uint64_t address, std::uint64_t size, F&& f) {
    const std::uint64_t offset = address & 7;
    if (fits_granule(offset, size)) [[likely]] {
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

  static constexpr std::size_t bytes_per_piece() { return sizeof(Piece); }

 private:
  // Where a piece nearly fills cache lines anyway, it also starts at one.
  static constexpr std::size_t kFields = sizeof(Cell) + 8;
  static constexpr std::size_t kAlignment = (kFields + 63) % 64 >= 55 ? 64 : alignof(Cell);
  static constexpr std::int16_t kNoShape = -1;  // no single access covers these bytes
  struct alignas(kAlignment) Piece {
    Cell cell{};
    std::uint32_t next = 0;  // index into pool_ of the granule's next piece; 0: none
    std::uint8_t mask = 0;   // its bytes; masks of one granule are pairwise disjoint; 0: unknown
    std::int16_t shape = kNoShape;  // of the access that covers exactly these bytes: size, offset
  };
  using Granule = Piece;  // the first piece stands in the page, further ones in the pool
  static constexpr std::uint64_t kPageGranules = 64;
  static constexpr std::uint64_t kPageBytes = kPageGranules * 8;
  static constexpr std::size_t kCacheSize = 256;
  struct alignas(64) Page {
    std::array<Granule, kPageGranules> granules;
  };
  struct CacheEntry {
    std::uint64_t number = ~std::uint64_t{0};
    Page* page = nullptr;
  };

  // False also for size 0, which has no piece.
  static constexpr bool fits_granule(std::uint64_t offset, std::uint64_t size) {
    return size - 1 < 8 - offset;
  }

  static constexpr std::uint8_t byte_mask(std::uint64_t offset, std::uint64_t size) {
    return static_cast<std::uint8_t>(((1u << size) - 1u) << offset);
  }

  static constexpr std::int16_t shape_of(std::uint8_t mask) {
    const int offset = std::countr_zero(mask);
    const int size = std::popcount(mask);
    if (mask == 0 || std::uint8_t(mask >> offset) != (1 << size) - 1) return kNoShape;
    return static_cast<std::int16_t>(size << 3 | offset);
  }
  static void set_mask(Piece& piece, std::uint8_t mask) {
    piece.mask = mask;
    piece.shape = shape_of(mask);
  }

  Page& page_of(std::uint64_t granule) {
    const std::uint64_t number = granule / kPageGranules;
    CacheEntry& cached = cache_[number % kCacheSize];
    if (cached.number != number) [[unlikely]]
      fill(cached, number);
    return *cached.page;
  }

  [[gnu::noinline]] void fill(CacheEntry& cached, std::uint64_t number) {
    std::unique_ptr<Page>& page = pages_[number];
    if (!page) page = std::make_unique<Page>();
    cached = {number, page.get()};
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
    if (granule.mask == mask) [[likely]] {
      call(f, granule, number);
      return;
    }
    visit_pieces(granule, number, mask, f);
  }

  template <class F>
  [[gnu::noinline]] void visit_pieces(Granule& granule, std::uint64_t number, std::uint8_t mask,
                                      F& f) {
    if (granule.mask == 0) {
      set_mask(granule, mask);
      call(f, granule, number);
      return;
    }
    std::uint8_t left = mask;
    Piece* piece = &granule;
    for (;; piece = &pool_[piece->next]) {
      const auto inside = static_cast<std::uint8_t>(piece->mask & mask);
      if (inside != 0) {
        split(*piece, mask);
        left = static_cast<std::uint8_t>(left & ~inside);
        call(f, *piece, number);
        if (left == 0) return;
      }
      if (piece->next == 0) break;
    }
    insert_after(*piece, left, Cell{});
    call(f, pool_[piece->next], number);
  }

  // Leaves in `piece` only bytes of `mask`; the others go to a piece of their own with the same
  // history.
  void split(Piece& piece, std::uint8_t mask) {
    const auto outside = static_cast<std::uint8_t>(piece.mask & ~mask);
    if (outside == 0) return;
    insert_after(piece, outside, piece.cell);
    set_mask(piece, static_cast<std::uint8_t>(piece.mask & mask));
  }

  void insert_after(Piece& piece, std::uint8_t mask, const Cell& cell) {
    std::uint32_t slot = free_;
    if (slot != 0) {
      free_ = pool_[slot].next;
    } else {
      slot = static_cast<std::uint32_t>(pool_.size());
      ISOSAN_CHECK(slot == pool_.size());
      pool_.emplace_back();
    }
    pool_[slot] = Piece{cell, piece.next, mask, shape_of(mask)};
    piece.next = slot;
  }

  void forget(Granule& granule) {
    for (std::uint32_t slot = granule.next; slot != 0;) {
      const std::uint32_t next = std::exchange(pool_[slot].next, free_);
      pool_[slot].cell = Cell{};
      free_ = std::exchange(slot, next);
    }
    granule = Granule{};
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
      for (Granule& granule : found->second->granules) {
        if (granule.next != 0) forget(granule);
      }
      cache_[number % kCacheSize] = {};
      pages_.erase(found);
      return;
    }
    while (address < end) {
      const std::uint64_t offset = address & 7;
      const std::uint64_t length = end - address < 8 - offset ? end - address : 8 - offset;
      reset_bytes(found->second->granules[(address >> 3) % kPageGranules],
                  byte_mask(offset, length));
      address += length;
    }
  }

  void reset_bytes(Granule& granule, std::uint8_t mask) {
    if (mask == 0xff || (granule.next == 0 && (granule.mask & ~mask) == 0)) {
      if (granule.mask != 0) forget(granule);
      return;
    }
    for (Piece* piece = &granule;; piece = &pool_[piece->next]) {
      if ((piece->mask & mask) != 0) {
        split(*piece, mask);
        piece->cell = Cell{};
      }
      if (piece->next == 0) return;
    }
  }

  absl::flat_hash_map<std::uint64_t, std::unique_ptr<Page>> pages_;
  std::array<CacheEntry, kCacheSize> cache_{};
  std::deque<Piece> pool_{1};  // slot 0 is never used; a deque, so that pieces stay where they are
  std::uint32_t free_ = 0;     // free slots, linked by `next`
};

}  // namespace isosan
