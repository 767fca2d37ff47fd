// A set of small numbers: which open transactions (TransactionGraph::Slot). The first 64 stand in
// one word, because hardly a run has more transactions open at one time; further ones in a list.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace isosan::velodrome {

class SlotSet {
 public:
  bool has(std::uint32_t slot) const {
    if (slot < 64) [[likely]]
      return (low_ >> slot & 1) != 0;
    const std::size_t at = slot / 64 - 1;
    return at < high_.size() && (high_[at] >> slot % 64 & 1) != 0;
  }
  bool empty() const { return low_ == 0 && high_.empty(); }

  void add(std::uint32_t slot) {
    if (slot >= 64 && high_.size() < slot / 64) high_.resize(slot / 64);
    word(slot) |= bit(slot);
  }
  void remove(std::uint32_t slot) {
    if (slot >= 64 && high_.size() < slot / 64) return;
    word(slot) &= ~bit(slot);
    trim();
  }

  SlotSet& operator|=(const SlotSet& other) {
    low_ |= other.low_;
    if (other.high_.empty()) [[likely]]
      return *this;
    if (high_.size() < other.high_.size()) high_.resize(other.high_.size());
    for (std::size_t i = 0; i < other.high_.size(); ++i) high_[i] |= other.high_[i];
    return *this;
  }
  SlotSet& operator-=(const SlotSet& other) {
    low_ &= ~other.low_;
    if (high_.empty()) [[likely]]
      return *this;
    for (std::size_t i = 0; i < high_.size() && i < other.high_.size(); ++i)
      high_[i] &= ~other.high_[i];
    trim();
    return *this;
  }
  friend SlotSet operator-(SlotSet a, const SlotSet& b) { return a -= b; }
  bool operator==(const SlotSet&) const = default;

  template <class F>
  void for_each(F&& f) const {
    for_each_bit(low_, 0, f);
    for (std::size_t i = 0; i < high_.size(); ++i) for_each_bit(high_[i], (i + 1) * 64, f);
  }

 private:
  static std::uint64_t bit(std::uint32_t slot) { return std::uint64_t{1} << slot % 64; }
  std::uint64_t& word(std::uint32_t slot) { return slot < 64 ? low_ : high_[slot / 64 - 1]; }
  void trim() {
    while (!high_.empty() && high_.back() == 0) high_.pop_back();
  }
  template <class F>
  static void for_each_bit(std::uint64_t bits, std::size_t first, F& f) {
    for (; bits != 0; bits &= bits - 1)
      f(static_cast<std::uint32_t>(first + static_cast<std::size_t>(std::countr_zero(bits))));
  }

  std::uint64_t low_ = 0;
  std::vector<std::uint64_t> high_;  // slots from 64 on; the last word is not 0
};

}  // namespace isosan::velodrome
