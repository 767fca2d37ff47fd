// State per location, exact to the byte.
//
// Model: memory is cut into granules of 8 bytes. A granule holds *pieces*: disjoint groups of bytes
// that every access so far has treated alike, each with one Cell. An access that covers a piece
// only in part splits it; both halves start with a copy of its Cell. So a Cell always stands for
// bytes with the same history, and two accesses meet in a Cell exactly when they share a byte. The
// usual granule (one variable, always accessed whole) has one piece and never splits. Its first
// piece stands in the granule's page, further ones elsewhere; a page in which many granules were
// split into halves (an array of int) gets granules of 4 bytes.
//
// A piece costs sizeof(Cell) + 8 bytes (rounded up to whole cache lines where that is at most 8
// more), whether it is the first of its granule or a further one.
//
// Law: visit(a, n, f) calls f for pieces that together are exactly the bytes [a, a + n).
// f takes (Cell&), or (Cell&, PieceBytes) where it wants to know which bytes the piece stands for.
// Not here: what a Cell means. Cells are value types; a fresh one is Cell{}.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

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
    Piece& piece = first_piece(page_of(address), address);
    return piece.shape == shape_of(address, size) ? &piece.cell : nullptr;
  }

  // The same if the page is cached; otherwise nullptr.
  [[gnu::always_inline]] Cell* recent(std::uint64_t address, std::uint64_t size) const {
    const CachedPage& cached = cache_[address / kPageBytes % kCacheSize];
    if (cached.number != address / kPageBytes) [[unlikely]]
      return nullptr;
    Piece& piece = first_piece(cached, address);
    return piece.shape == shape_of(address, size) ? &piece.cell : nullptr;
  }

  // The cell that an access there probably needs first, without a search: something to
  // prefetch, or to read in advance.
  [[gnu::always_inline]] const Cell& nearby(std::uint64_t address) const {
    const std::uint64_t number = address / kPageBytes;
    const CachedPage& cached = cache_[number % kCacheSize];
    const Piece* const piece = &first_piece(cached, address);
    return (cached.number == number ? piece : &no_piece_)->cell;
  }

  // Calls f for each piece of [address, address + size), in address order of granules.
  template <class F>
  void visit(std::uint64_t address, std::uint64_t size, F&& f) {
    const CachedPage& page = page_of(address);
    if (!fits_granule(page, address, size)) [[unlikely]]
      return visit_range(address, size, f);
    Piece* piece = &first_piece(page, address);
    const std::uint8_t mask = byte_mask(address & 7, size);
    if (piece->mask == mask) [[likely]]
      return call(f, *piece, address >> 3);
    if (is_new_half(*piece, mask) && refine(address)) piece = &first_piece(page, address);
    visit_pieces(*piece, address, mask, f);
  }

  // Calls f for what there is of [address, address + size), and makes no pieces where there are none.
  // The bytes of a piece that is there in part are those in the range; it is not split.
  template <class F>
  void visit_present(std::uint64_t address, std::uint64_t size, F&& f) {
    for_each_page(address, size, [&](std::uint64_t from, std::uint64_t to) {
      if (const auto found = pages_.find(from / kPageBytes); found != pages_.end())
        visit_present_in(found->second, from, to, f);
    });
  }

  // Forgets everything about [address, address + size): the bytes are new locations.
  void reset(std::uint64_t address, std::uint64_t size) {
    for_each_page(address, size,
                  [&](std::uint64_t from, std::uint64_t to) { reset_in_page(from, to); });
  }

  std::size_t live_pages() const { return pages_.size(); }

  // Of all pieces.
  std::uint64_t bytes() const { return (in_pages_ + beside_) * sizeof(Piece); }

  // Drops the pages for all of whose cells may_go(cell) holds. Invalidates all references to cells.
  // Returns how many bytes of memory these pages stand for.
  template <class F>
  std::uint64_t collect(F&& may_go) {
    std::uint64_t dropped = 0;
    for (auto page = pages_.begin(); page != pages_.end();) {
      const auto here = page++;
      if (!all_of(here->second, may_go)) continue;
      erase(here);
      dropped += kPageBytes;
    }
    return dropped;
  }

  static constexpr std::size_t bytes_per_piece() { return sizeof(Piece); }

 private:
  // A piece that nearly fills its cache lines is aligned to them.
  static constexpr std::size_t kFields = sizeof(Cell) + 8;
  static constexpr std::size_t kAlignment = (kFields + 63) % 64 >= 55 ? 64 : alignof(Cell);
  static constexpr std::int16_t kNoShape = -1;  // no single access covers these bytes
  struct alignas(kAlignment) Piece {
    Cell cell{};
    std::uint32_t next = 0;  // index into pool_ of the granule's next piece; 0: none
    std::uint8_t mask =
        0;  // its bytes of 8; masks of one granule are pairwise disjoint; 0: unknown
    std::int16_t shape = kNoShape;  // of the access that covers exactly these bytes: size, offset
  };
  static constexpr std::uint64_t kPageBytes = 512;
  static constexpr std::uint32_t kCoarse = 3, kFine = 2;  // log2 of a granule's bytes
  static constexpr std::uint32_t kMostHalved = kPageBytes / 8 / 4;
  static constexpr std::size_t kCacheSize = 1024;
  struct Page {
    std::unique_ptr<Piece[]> pieces;  // the first of each granule
    std::uint32_t shift = kCoarse;
    std::uint32_t halved = 0;  // how often a granule was split into halves
  };
  struct alignas(32) CachedPage {
    CachedPage() = default;
    CachedPage(std::uint64_t n, const Page& page)
        : number(n),
          base(reinterpret_cast<std::uintptr_t>(page.pieces.get()) -
               (n * kPageBytes >> page.shift) * sizeof(Piece)),
          shift(page.shift) {}

    std::uint64_t number = ~std::uint64_t{0};
    std::uintptr_t base = 0;  // the page's pieces, minus the offset of its first granule's number
    std::uint32_t shift = kCoarse;
  };

  static constexpr std::size_t pieces_in(std::uint32_t shift) { return kPageBytes >> shift; }

  static Piece& first_piece(const CachedPage& page, std::uint64_t address) {
    return *reinterpret_cast<Piece*>(page.base + (address >> page.shift) * sizeof(Piece));
  }

  // False also for size 0, which has no piece.
  static bool fits_granule(const CachedPage& page, std::uint64_t address, std::uint64_t size) {
    const std::uint64_t granule = std::uint64_t{1} << page.shift;
    return size - 1 < granule - (address & (granule - 1));
  }

  static constexpr std::uint8_t byte_mask(std::uint64_t offset, std::uint64_t size) {
    return static_cast<std::uint8_t>(((1u << size) - 1u) << offset);
  }

  static std::int64_t shape_of(std::uint64_t address, std::uint64_t size) {
    return static_cast<std::int64_t>(size << 3 | (address & 7));
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

  [[gnu::always_inline]] CachedPage& page_of(std::uint64_t address) {
    const std::uint64_t number = address / kPageBytes;
    CachedPage& cached = cache_[number % kCacheSize];
    if (cached.number != number) [[unlikely]]
      fill(cached, number);
    return cached;
  }

  [[gnu::noinline]] void fill(CachedPage& cached, std::uint64_t number) {
    Page& page = pages_[number];
    if (!page.pieces) {
      page.pieces = std::make_unique<Piece[]>(pieces_in(page.shift));
      in_pages_ += pieces_in(page.shift);
    }
    cached = {number, page};
  }

  template <class F>
  [[gnu::always_inline]] static void call(F& f, Piece& piece, std::uint64_t granule) {
    if constexpr (std::is_invocable_v<F&, Cell&, PieceBytes>) {
      f(piece.cell, PieceBytes{granule, piece.mask});
    } else {
      f(piece.cell);
    }
  }

  // `mask` lies within the granule.
  template <class F>
  [[gnu::noinline]] void visit_pieces(Piece& first, std::uint64_t address, std::uint8_t mask,
                                      F& f) {
    if (first.mask == 0) {
      set_mask(first, mask);
      call(f, first, address >> 3);
      return;
    }
    std::uint8_t left = mask;
    Piece* piece = &first;
    for (;; piece = &pool_[piece->next]) {
      const auto inside = static_cast<std::uint8_t>(piece->mask & mask);
      if (inside != 0) {
        split(*piece, mask);
        left = static_cast<std::uint8_t>(left & ~inside);
        call(f, *piece, address >> 3);
        if (left == 0) return;
      }
      if (piece->next == 0) break;
    }
    insert_after(*piece, left, Cell{});
    call(f, pool_[piece->next], address >> 3);
  }

  // Is it half a granule, and not yet a piece?
  bool is_new_half(const Piece& first, std::uint8_t mask) const {
    if ((mask != 0x0f && mask != 0xf0) || first.mask == 0) return false;
    for (const Piece* piece = &first;; piece = &pool_[piece->next]) {
      if (piece->mask == mask) return false;
      if (piece->next == 0) return true;
    }
  }

  // Gives the page granules of 4 bytes if granules were halved often enough; true: it has them now.
  bool refine(std::uint64_t address) {
    const std::uint64_t number = address / kPageBytes;
    Page& page = pages_.find(number)->second;
    if (page.shift == kFine || ++page.halved < kMostHalved) return false;
    const std::unique_ptr<Piece[]> coarse =
        std::exchange(page.pieces, std::make_unique<Piece[]>(pieces_in(kFine)));
    page.shift = kFine;
    in_pages_ += pieces_in(kFine) - pieces_in(kCoarse);
    for (std::size_t granule = 0; granule < pieces_in(kCoarse); ++granule) {
      Piece& old = coarse[granule];
      for (const Piece* piece = &old; old.mask != 0; piece = &pool_[piece->next]) {
        add_piece(page.pieces[granule * 2], piece->mask & 0x0f, piece->cell);
        add_piece(page.pieces[granule * 2 + 1], piece->mask & 0xf0, piece->cell);
        if (piece->next == 0) break;
      }
      forget(old);
    }
    cache_[number % kCacheSize] = {number, page};
    return true;
  }

  void add_piece(Piece& first, int mask, const Cell& cell) {
    if (mask == 0) return;
    if (first.mask != 0) return insert_after(first, static_cast<std::uint8_t>(mask), cell);
    first.cell = cell;
    set_mask(first, static_cast<std::uint8_t>(mask));
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
    ++beside_;
    pool_[slot] = Piece{cell, piece.next, mask, shape_of(mask)};
    piece.next = slot;
  }

  void forget(Piece& first) {
    if (first.mask == 0) return;
    for (std::uint32_t slot = first.next; slot != 0;) {
      const std::uint32_t next = std::exchange(pool_[slot].next, free_);
      pool_[slot].cell = Cell{};
      free_ = std::exchange(slot, next);
      --beside_;
    }
    first = Piece{};
  }

  template <class F>
  bool all_of(const Page& page, F& holds) const {
    for (std::size_t i = 0; i < pieces_in(page.shift); ++i) {
      const Piece* piece = &page.pieces[i];
      for (; piece->mask != 0; piece = &pool_[piece->next]) {
        if (!holds(piece->cell)) return false;
        if (piece->next == 0) break;
      }
    }
    return true;
  }

  void erase(typename absl::flat_hash_map<std::uint64_t, Page>::iterator found) {
    const Page& page = found->second;
    for (std::size_t i = 0; i < pieces_in(page.shift); ++i) {
      if (page.pieces[i].next != 0) forget(page.pieces[i]);
    }
    in_pages_ -= pieces_in(page.shift);
    cache_[found->first % kCacheSize] = {};
    pages_.erase(found);
  }

  // Granule by granule: f(address, mask) for each part of [address, end).
  template <class F>
  static void for_each_granule(std::uint64_t address, std::uint64_t end, std::uint32_t shift,
                               F&& f) {
    const std::uint64_t granule = std::uint64_t{1} << shift;
    while (address < end) {
      const std::uint64_t stop = std::min(end, (address | (granule - 1)) + 1);
      f(address, byte_mask(address & 7, stop - address));
      address = stop;
    }
  }

  template <class F>
  [[gnu::noinline]] void visit_range(std::uint64_t address, std::uint64_t size, F& f) {
    const std::uint64_t end = address + size;
    while (address < end) {
      const CachedPage page = page_of(address);
      const std::uint64_t stop = std::min(end, (address / kPageBytes + 1) * kPageBytes);
      for_each_granule(address, stop, page.shift, [&](std::uint64_t at, std::uint8_t mask) {
        Piece& piece = first_piece(page, at);
        if (piece.mask == mask) [[likely]] {
          call(f, piece, at >> 3);
        } else {
          visit_pieces(piece, at, mask, f);
        }
      });
      address = stop;
    }
  }

  // f(from, to) for the part of [address, address + size) in each page, of those that exist at
  // least. A mapping may have more pages than were ever used.
  template <class F>
  void for_each_page(std::uint64_t address, std::uint64_t size, F&& f) {
    const std::uint64_t end = address + size;
    if (size / kPageBytes <= pages_.size()) {
      while (address < end) {
        const std::uint64_t stop = std::min(end, (address / kPageBytes + 1) * kPageBytes);
        f(address, stop);
        address = stop;
      }
      return;
    }
    std::vector<std::uint64_t> inside;
    for (const auto& [number, page] : pages_) {
      const std::uint64_t first = number * kPageBytes;
      if (first < end && first + kPageBytes > address) inside.push_back(first);
    }
    std::sort(inside.begin(), inside.end());
    for (const std::uint64_t first : inside)
      f(std::max(first, address), std::min(first + kPageBytes, end));
  }

  template <class F>
  void visit_present_in(const Page& page, std::uint64_t address, std::uint64_t end, F& f) {
    const CachedPage cached{address / kPageBytes, page};
    for_each_granule(address, end, page.shift, [&](std::uint64_t at, std::uint8_t mask) {
      for (Piece* piece = &first_piece(cached, at);; piece = &pool_[piece->next]) {
        const auto inside = static_cast<std::uint8_t>(piece->mask & mask);
        if (inside != 0) f(piece->cell, PieceBytes{at >> 3, inside});
        if (piece->next == 0) break;
      }
    });
  }

  void reset_in_page(std::uint64_t address, std::uint64_t end) {
    const std::uint64_t number = address / kPageBytes;
    const auto found = pages_.find(number);
    if (found == pages_.end()) return;
    Page& page = found->second;
    if (end - address == kPageBytes) return erase(found);
    const CachedPage cached{number, page};
    for_each_granule(address, end, page.shift, [&](std::uint64_t at, std::uint8_t mask) {
      Piece& first = first_piece(cached, at);
      mask == whole_granule(page.shift, at) ? forget(first) : reset_bytes(first, mask);
    });
  }

  static std::uint8_t whole_granule(std::uint32_t shift, std::uint64_t address) {
    if (shift == kCoarse) return 0xff;
    return (address & 4) != 0 ? 0xf0 : 0x0f;
  }

  void reset_bytes(Piece& first, std::uint8_t mask) {
    if (first.next == 0 && (first.mask & ~mask) == 0) return forget(first);
    for (Piece* piece = &first;; piece = &pool_[piece->next]) {
      if ((piece->mask & mask) != 0) {
        split(*piece, mask);
        piece->cell = Cell{};
      }
      if (piece->next == 0) return;
    }
  }

  absl::flat_hash_map<std::uint64_t, Page> pages_;
  std::array<CachedPage, kCacheSize> cache_{};
  Piece no_piece_;
  std::deque<Piece> pool_{1};                // slot 0 is never used; a deque: addresses are stable
  std::uint32_t free_ = 0;                   // free slots, linked by `next`
  std::uint64_t in_pages_ = 0, beside_ = 0;  // pieces
};

}  // namespace isosan
