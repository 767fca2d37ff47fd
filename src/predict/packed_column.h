// A long list of numbers, each block of which takes as few bytes as its range needs.
//
// Model: the last, incomplete block is a plain list. A complete one keeps its least number, and each
// number's distance from it in 0 to 4 bytes. What is kept of a run is mostly small or ascending, so
// two bytes are usual.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <ranges>
#include <vector>

namespace isosan::predict {

class PackedColumn {
 private:
  static_assert(std::endian::native == std::endian::little);
  struct Block {
    std::unique_ptr<std::uint8_t[]> bytes;
    std::uint32_t least = 0;
    std::uint32_t mask = 0;   // of the bytes that a distance takes
    std::uint32_t width = 0;  // how many these are

    std::uint32_t number(std::size_t i) const {
      std::uint32_t distance;
      std::memcpy(&distance, bytes.get() + i * width, sizeof distance);
      return least + (distance & mask);
    }
  };

 public:
  static constexpr std::size_t kBlock = 256;

  PackedColumn() = default;
  PackedColumn(PackedColumn&&) = default;
  PackedColumn& operator=(PackedColumn&&) = default;

  void push_back(std::uint32_t value) {
    open_.push_back(value);
    if (open_.size() == kBlock) close();
  }
  std::size_t size() const { return blocks_.size() * kBlock + open_.size(); }
  bool empty() const { return size() == 0; }

  std::uint32_t operator[](std::size_t i) const {
    if (i / kBlock == blocks_.size()) return open_[i % kBlock];
    return blocks_[i / kBlock].number(i % kBlock);
  }
  std::uint32_t back() const { return (*this)[size() - 1]; }

  // From the first number to the last, faster than by index. The column must not change meanwhile.
  class Reader {
   public:
    explicit Reader(const PackedColumn& column) : column_(column) {}
    bool at_end() const { return at_ == column_.size(); }
    std::uint32_t next() {
      if (at_ % kBlock == 0) unpack();
      return numbers_[at_++ % kBlock];
    }

   private:
    void unpack();  // the block that begins here

    const PackedColumn& column_;
    std::size_t at_ = 0;
    std::array<std::uint32_t, kBlock> numbers_;
  };

 private:
  void close();

  std::vector<Block> blocks_;
  std::vector<std::uint32_t> open_;
};

// The first index in [0, size) for which `before` is false: it holds for those before, and for no
// later one.
template <class Before>
std::size_t partition_index(std::size_t size, Before before) {
  return *std::ranges::partition_point(std::views::iota(std::size_t{0}, size), before);
}

}  // namespace isosan::predict
