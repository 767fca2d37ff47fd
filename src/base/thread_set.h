// A set of threads: a bit per dense id, one word in place for the first 64.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "absl/container/inlined_vector.h"

namespace isosan {

class ThreadSet {
 public:
  bool contains(std::uint32_t thread) const {
    return thread / 64 < words_.size() && (words_[thread / 64] >> thread % 64 & 1) != 0;
  }
  // True if it was not in the set.
  bool insert(std::uint32_t thread) {
    if (thread / 64 >= words_.size()) words_.resize(thread / 64 + 1);
    std::uint64_t& word = words_[thread / 64];
    const std::uint64_t before = word;
    word |= std::uint64_t{1} << thread % 64;
    return word != before;
  }
  void erase(std::uint32_t thread) {
    if (thread / 64 < words_.size()) words_[thread / 64] &= ~(std::uint64_t{1} << thread % 64);
  }
  bool empty() const {
    return std::all_of(words_.begin(), words_.end(), [](std::uint64_t word) { return word == 0; });
  }
  void clear() { words_.clear(); }

  // f may change the set: it is called for the members of the word as it was.
  template <class F>
  void for_each(F&& f) const {
    for (std::size_t w = 0; w < words_.size(); ++w) {
      for (std::uint64_t left = words_[w]; left != 0; left &= left - 1) {
        f(static_cast<std::uint32_t>(w * 64) + static_cast<std::uint32_t>(std::countr_zero(left)));
      }
    }
  }

 private:
  absl::InlinedVector<std::uint64_t, 1> words_;
};

}  // namespace isosan
