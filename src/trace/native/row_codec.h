// Events as packed rows: the raw payload of event chunks, before zstd.
//
// Model: a record is split into a template (everything that repeats: kind, size, site, ...), a
// 64-bit value (the address), and a thread. A chunk lists each distinct template, page (value
// without its low 16 bits) and thread once, each list filled up to a power of two. A row is then
// the four numbers (template, page, low bits of the value without the zeros that all of them end
// with, thread) in as few bits as the chunk needs, in whole bytes.
//
// Why: a record is 2 to 4 bytes even before zstd, decoding it is one load and some
// shifts, and since the lists are filled up no row is out of range.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "event/event.h"
#include "trace/native/trace_format.h"

namespace isosan {

// Numbers for the distinct keys of a chunk, in order of first appearance. A key is N words.
template <std::size_t N>
class ChunkDictionary {
 public:
  using Key = std::array<std::uint64_t, N>;

  std::uint16_t number_of(const Key& key) {
    for (std::size_t i = hash(key) >> shift_;; i = (i + 1) & (slots_.size() - 1)) {
      const Slot slot = slots_[i];
      if (slot.chunk != chunk_) [[unlikely]]
        return add(key, i);
      if (same(keys_[slot.number], key)) [[likely]]
        return slot.number;
    }
  }
  std::vector<Key>& keys() { return keys_; }
  void clear() {
    keys_.clear();
    if (++chunk_ == 0) {
      slots_.assign(slots_.size(), {});
      chunk_ = 1;
    }
  }

 private:
  struct Slot {
    std::uint16_t chunk = 0;  // that the slot was used in; 0: none
    std::uint16_t number = 0;
  };
  static constexpr int kFirstBits = 8;

  static std::uint64_t hash(const Key& key) {
    std::uint64_t h = key[0] * 0x9e3779b97f4a7c15u;
    if constexpr (N > 1) h ^= std::rotl(key[1] * 0xd6e8feb86659fd93u, 32);
    if constexpr (N > 2) h ^= std::rotl(key[2] * 0xa0761d6478bd642fu, 16);
    return h * 0x9e3779b97f4a7c15u;
  }
  static bool same(const Key& a, const Key& b) {
    std::uint64_t difference = 0;
    for (std::size_t i = 0; i < N; ++i) difference |= a[i] ^ b[i];
    return difference == 0;
  }
  std::uint16_t add(const Key& key, std::size_t slot) {
    const auto number = static_cast<std::uint16_t>(keys_.size());
    slots_[slot] = {chunk_, number};
    keys_.push_back(key);
    if (keys_.size() * 4 > slots_.size()) grow();
    return number;
  }
  void grow() {
    slots_.assign(slots_.size() * 2, {});
    --shift_;
    for (std::size_t number = 0; number < keys_.size(); ++number) {
      std::size_t i = hash(keys_[number]) >> shift_;
      while (slots_[i].chunk == chunk_) i = (i + 1) & (slots_.size() - 1);
      slots_[i] = {chunk_, static_cast<std::uint16_t>(number)};
    }
  }

  std::vector<Key> keys_;  // at most kMaxCount: a number fits in 16 bits
  std::vector<Slot> slots_ = std::vector<Slot>(std::size_t{1} << kFirstBits);  // a quarter full
  int shift_ = 64 - kFirstBits;
  std::uint16_t chunk_ = 1;
};

// `Words` is the number of 64-bit words of a template.
template <std::size_t Words>
class RowEncoder {
 public:
  using Template = std::array<std::uint64_t, Words>;

  void add(const Template& record, std::uint64_t value, std::uint32_t thread) {
    rows_.push_back({templates_.number_of(record), page_number(value >> 16),
                     static_cast<std::uint16_t>(value), thread_number(thread)});
  }
  std::size_t size() const { return rows_.size(); }
  bool full() const { return rows_.size() == tracefile::kMaxCount; }

  // The raw payload of all records added since the last call.
  std::string take();

 private:
  struct Row {
    std::uint16_t number, page, low, thread;
  };

  // Threads and pages change with almost every record: a branch that asks for a change would be
  // mispredicted, a hash table would be too slow.
  std::uint16_t page_number(std::uint64_t page) {
    RecentPage& recent = recent_pages_[(page * 0x9e3779b97f4a7c15u) >> (64 - kRecentBits)];
    if (page != recent.page) [[unlikely]]
      recent = {page, pages_.number_of({page})};
    return recent.number;
  }
  std::uint16_t thread_number(std::uint32_t thread) {
    if (thread >= thread_numbers_.size()) [[unlikely]]
      thread_numbers_.resize(thread + 1);
    std::uint32_t& number = thread_numbers_[thread];
    if (number == 0) [[unlikely]] {
      threads_.push_back(thread);
      number = static_cast<std::uint32_t>(threads_.size());
    }
    return static_cast<std::uint16_t>(number - 1);
  }
  void clear();

  static constexpr int kRecentBits = 6;
  struct RecentPage {
    std::uint64_t page = ~std::uint64_t{0};  // none
    std::uint16_t number = 0;
  };

  std::vector<Row> rows_;
  ChunkDictionary<Words> templates_;
  ChunkDictionary<1> pages_;
  std::array<RecentPage, std::size_t{1} << kRecentBits> recent_pages_{};
  std::vector<std::uint64_t> threads_;         // of this chunk
  std::vector<std::uint32_t> thread_numbers_;  // by thread: 1 + its number in threads_; 0: none
};

template <std::size_t Words>
class RowDecoder {
 public:
  using Template = std::array<std::uint64_t, Words>;
  static constexpr std::size_t kPadding = 8;  // bytes that must be readable behind the payload

  // False: `raw` is no payload of `count` records. It must stay until the next call or close().
  bool open(std::string_view raw, std::size_t count);
  void close() { count_ = 0; }

  std::size_t size() const { return count_; }
  const std::vector<Template>& templates() const { return templates_; }  // filled up
  const std::vector<std::uint64_t>& threads() const { return threads_; }

  struct Record {
    std::uint32_t template_number;
    std::uint32_t thread;
    std::uint64_t value;
  };
  // The rows, as a value: a loop can keep it in registers even if it writes memory.
  class Rows {
   public:
    Record operator[](std::size_t i) const {
      std::uint64_t row;
      std::memcpy(&row, rows + i * row_bytes, sizeof row);
      return {static_cast<std::uint32_t>(row & number.mask),
              static_cast<std::uint32_t>(threads[row >> thread.shift & thread.mask]),
              pages[row >> page.shift & page.mask] | (row >> low.shift & low.mask) << zeros};
    }

   private:
    friend RowDecoder;
    struct Field {
      int shift = 0;
      std::uint64_t mask = 0;
    };
    const char* rows = nullptr;
    const std::uint64_t* pages = nullptr;
    const std::uint64_t* threads = nullptr;
    std::size_t row_bytes = 0;
    int zeros = 0;
    Field number, page, low, thread;
  };
  Rows rows() const { return rows_; }

 private:
  std::size_t count_ = 0;
  std::vector<Template> templates_;
  std::vector<std::uint64_t> pages_;  // shifted to their place
  std::vector<std::uint64_t> threads_;
  Rows rows_;
};

using EventEncoder = RowEncoder<3>;
using EventDecoder = RowDecoder<3>;

// The template of an event: what is left without address and thread.
inline EventEncoder::Template template_of(const Event& e) {
  return {static_cast<std::uint64_t>(e.kind) | std::uint64_t{e.detail} << 8 |
              std::uint64_t{e.depth} << 16 | std::uint64_t{index(e.site)} << 32,
          e.size, index(e.context)};
}
inline Event event_of(const EventEncoder::Template& t) {
  return {.kind = static_cast<Kind>(t[0] & 0xff),
          .detail = static_cast<std::uint8_t>(t[0] >> 8),
          .depth = static_cast<std::uint16_t>(t[0] >> 16),
          .size = t[1],
          .site = SiteId{static_cast<std::uint32_t>(t[0] >> 32)},
          .context = ContextId{static_cast<std::uint32_t>(t[2])}};
}

}  // namespace isosan
