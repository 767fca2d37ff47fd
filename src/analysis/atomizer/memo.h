// What was computed of a word not long ago.
//
// Model: direct-mapped, of fixed size: a value is forgotten when another word takes its place. Good
// for functions that always give the same again: a miss costs time, nothing else.
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
