// Granules of 8 bytes that went from one thread to another, at least one of which writes, with no
// known synchronization in between. Only these can have a race. The runtime fills the table, the
// isosan process reads it; both sides include this.
//
// Model: a bit for each granule of a page of 512 bytes; pages with equal hashes share a word. Law:
// a granule that was added is found. A granule that was not added may be found, too.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace isosan {

class UnorderedGranules {
 public:
  void add(std::uint64_t address) {
    word_of(address).fetch_or(bit_of(address), std::memory_order_relaxed);
  }

  void add_all() {
    for (std::atomic<std::uint64_t>& word : words_) word.store(~std::uint64_t{0});
  }

  // Is any of [address, address + size) in it?
  bool touches(std::uint64_t address, std::uint64_t size) const {
    const std::uint64_t end = address + size;
    while (address < end) {
      const std::uint64_t stop = std::min(end, (address / kPageBytes + 1) * kPageBytes);
      const std::uint64_t bits = word_of(address).load(std::memory_order_relaxed);
      if (bits != 0 && (bits & bits_of(address, stop)) != 0) return true;
      address = stop;
    }
    return false;
  }

 private:
  static constexpr std::uint64_t kPageBytes = 512;
  static constexpr int kLogWords = 14;

  static std::uint64_t bit_of(std::uint64_t address) {
    return std::uint64_t{1} << (address / 8 % 64);
  }
  // Of a part of one page that is not empty.
  static std::uint64_t bits_of(std::uint64_t address, std::uint64_t end) {
    const std::uint64_t last = bit_of(end - 1);
    return (last | (last - 1)) & ~(bit_of(address) - 1);
  }
  static std::size_t index_of(std::uint64_t address) {
    return (address / kPageBytes * 0x9e3779b97f4a7c15u) >> (64 - kLogWords);
  }
  std::atomic<std::uint64_t>& word_of(std::uint64_t address) { return words_[index_of(address)]; }
  const std::atomic<std::uint64_t>& word_of(std::uint64_t address) const {
    return words_[index_of(address)];
  }

  std::atomic<std::uint64_t> words_[std::size_t{1} << kLogWords]{};
};

}  // namespace isosan
