// A set of open transactions (TransactionGraph::Slot). The numbers below 64 are bits of
// one word, because few runs have more transactions open at a time; larger ones are on the heap.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace isosan::velodrome {

class SlotSet {
 public:
  SlotSet() = default;
  SlotSet(const SlotSet& other)
      : low_(other.low_), high_(other.high_ ? std::make_unique<Words>(*other.high_) : nullptr) {}
  SlotSet(SlotSet&&) noexcept = default;
  SlotSet& operator=(const SlotSet& other) { return *this = SlotSet(other); }
  SlotSet& operator=(SlotSet&&) noexcept = default;

  bool has(std::uint32_t slot) const { return (word(slot / 64) >> slot % 64 & 1) != 0; }
  bool empty() const { return low_ == 0 && !high_; }

  void add(std::uint32_t slot) { writable_word(slot / 64) |= std::uint64_t{1} << slot % 64; }
  void remove(std::uint32_t slot) {
    if (slot / 64 >= words()) return;
    writable_word(slot / 64) &= ~(std::uint64_t{1} << slot % 64);
    trim();
  }

  SlotSet& operator|=(const SlotSet& other) {
    low_ |= other.low_;
    for (std::size_t i = 1; i < other.words(); ++i) writable_word(i) |= other.word(i);
    return *this;
  }
  SlotSet& operator-=(const SlotSet& other) {
    low_ &= ~other.low_;
    for (std::size_t i = 1; i < words(); ++i) writable_word(i) &= ~other.word(i);
    trim();
    return *this;
  }
  friend SlotSet operator-(SlotSet a, const SlotSet& b) { return std::move(a -= b); }

  bool is_subset_of(const SlotSet& other) const {
    if ((low_ & ~other.low_) != 0) return false;
    for (std::size_t i = 1; i < words(); ++i)
      if ((word(i) & ~other.word(i)) != 0) return false;
    return true;
  }
  bool operator==(const SlotSet& other) const {
    return is_subset_of(other) && other.is_subset_of(*this);
  }

  // The smallest number in it, which is not empty.
  std::uint32_t first() const {
    std::size_t i = 0;
    while (word(i) == 0) ++i;
    return static_cast<std::uint32_t>(i * 64) +
           static_cast<std::uint32_t>(std::countr_zero(word(i)));
  }
  template <class F>
  void for_each(F&& f) const {
    for (std::size_t i = 0; i < words(); ++i)
      for (std::uint64_t bits = word(i); bits != 0; bits &= bits - 1)
        f(static_cast<std::uint32_t>(i * 64) + static_cast<std::uint32_t>(std::countr_zero(bits)));
  }

 private:
  using Words = std::vector<std::uint64_t>;

  std::size_t words() const { return high_ ? high_->size() + 1 : 1; }
  std::uint64_t word(std::size_t i) const {
    if (i == 0) [[likely]]
      return low_;
    return i < words() ? (*high_)[i - 1] : 0;
  }
  std::uint64_t& writable_word(std::size_t i) {
    if (i == 0) [[likely]]
      return low_;
    if (!high_) high_ = std::make_unique<Words>();
    if (high_->size() < i) high_->resize(i);
    return (*high_)[i - 1];
  }
  void trim() {
    if (!high_) [[likely]]
      return;
    while (!high_->empty() && high_->back() == 0) high_->pop_back();
    if (high_->empty()) high_.reset();
  }

  std::uint64_t low_ = 0;
  std::unique_ptr<Words> high_;  // from 64 on; none: there are none
};

}  // namespace isosan::velodrome
