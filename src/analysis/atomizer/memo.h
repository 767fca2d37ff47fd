// A small cache of the results of a pure function of one word.
//
// Model: direct-mapped, of fixed size. A value is dropped when another word takes its place. A miss
// costs time only.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace isosan::atomizer {

template <class Value, int kBits>
class Memo {
 public:
  template <class Compute>
  Value of(std::uint64_t key, Compute compute) {
    Entry& entry = entries_[key * 0x9E3779B97F4A7C15u >> (64 - kBits)];
    if (entry.key == key) [[likely]]
      return entry.value;
    const Value value = compute();
    entry = {key, value};
    return value;
  }
  void clear() { entries_.fill({}); }

 private:
  struct Entry {
    std::uint64_t key = ~std::uint64_t{0};  // of nothing
    Value value{};
  };
  std::array<Entry, std::size_t{1} << kBits> entries_{};
};

}  // namespace isosan::atomizer
