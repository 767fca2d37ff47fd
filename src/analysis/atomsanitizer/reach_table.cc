#include "analysis/atomsanitizer/reach_table.h"

#include <algorithm>
#include <bit>
#include <type_traits>

#include "base/check.h"

namespace isosan {
namespace {

template <class F>
[[gnu::always_inline]] inline void for_each_member(const std::uint64_t* set, std::size_t words,
                                                   F&& f) {
  for (std::size_t w = 0; w < words; ++w) {
    for (std::uint64_t left = set[w]; left != 0; left &= left - 1) {
      f(static_cast<std::uint32_t>(w * 64 + static_cast<std::size_t>(std::countr_zero(left))));
    }
  }
}

void insert_member(std::uint64_t* set, std::uint32_t member) {
  set[member / 64] |= std::uint64_t{1} << member % 64;
}
void erase_member(std::uint64_t* set, std::uint32_t member) {
  set[member / 64] &= ~(std::uint64_t{1} << member % 64);
}
[[gnu::always_inline]] inline bool is_empty(const std::uint64_t* set, std::size_t words) {
  std::uint64_t any = 0;
  for (std::size_t w = 0; w < words; ++w) any |= set[w];
  return any == 0;
}

// Moves a matrix with rows of `old_width` into rows of `width`.
template <class T>
void widen(std::vector<T>& matrix, std::size_t old_width, std::size_t width, std::size_t rows,
           T fill) {
  std::vector<T> wider(width * rows, fill);
  for (std::size_t row = 0; old_width > 0 && row < matrix.size() / old_width; ++row) {
    std::copy_n(&matrix[row * old_width], old_width, &wider[row * width]);
  }
  matrix = std::move(wider);
}

}  // namespace

void ReachTable::make_room_for(Slot thread) {
  if (thread < capacity_) return;
  const Slot old_capacity = capacity_;
  const std::size_t old_words = words_;
  capacity_ = (std::max(thread + 1, capacity_ + capacity_ / 2) + 7) & ~Slot{7};
  words_ = (capacity_ + 63) / 64;
  widen(earliest_, old_capacity, capacity_, capacity_, kNever);
  widen(known_, old_capacity, capacity_, capacity_, Number{0});
  widen(reaches_, old_words, words_, capacity_, Word{0});
  widen(reached_by_, old_words, words_, capacity_, Word{0});
  first_reached_.resize(capacity_, kNever);
  sources_.resize(words_);
  for (Slot own = old_capacity; own < capacity_; ++own) known_[index(own, own)] = kNever;
}

void ReachTable::renew(Slot thread) {
  ISOSAN_CHECK(is_unreached(thread));
  std::fill_n(known_by(thread), capacity_, Number{0});
  known_[index(thread, thread)] = kNever;
}

std::size_t ReachTable::bytes() const {
  return (earliest_.size() + known_.size() + reaches_.size() + reached_by_.size() +
          first_reached_.size()) *
         sizeof(std::uint64_t);
}

[[gnu::always_inline]] inline void ReachTable::lower(Slot p, Slot s, Number number) {
  Number& entry = earliest_[index(p, s)];
  if (entry <= number) return;
  entry = number;
  insert_member(row_of(reaches_, p), s);
  insert_member(row_of(reached_by_, s), p);
  first_reached_[s] = std::min(first_reached_[s], number);
}

void ReachTable::end(Slot thread) {
  if (capacity_ == kFew) [[likely]]
    return end_of_few(thread);
  in_words([&](auto words) { end_in(words, thread); });
}
bool ReachTable::find_sources(Epoch from, Epoch to) {
  bool any = false;
  in_words([&](auto words) { any = find_sources_in(words, from, to); });
  return any;
}
void ReachTable::connect(Epoch to) {
  in_words([&](auto words) { connect_in(words, to); });
}

// Rows and sets have kFew entries: a plain loop is faster than iterating over set members.
void ReachTable::end_of_few(Slot thread) {
  Number* const earliest = &earliest_[std::size_t{thread} * kFew];
  Word* const reached_by = reached_by_.data();
  Number* const first_reached = first_reached_.data();
  const Word others = ~(Word{1} << thread);
  for (Slot s = 0; s < kFew; ++s) {
    const Word left = reached_by[s] & others;
    const Number first = first_reached[s];
    earliest[s] = kNever;
    reached_by[s] = left;
    first_reached[s] = left == 0 ? kNever : first;
  }
  reaches_[thread] = 0;
}

template <class Words>
void ReachTable::end_in(Words words, Slot thread) {
  Word* reached = row_of(reaches_, thread);
  for_each_member(reached, words, [&](Slot s) {
    earliest_[index(thread, s)] = kNever;
    Word* left = row_of(reached_by_, s);
    erase_member(left, thread);
    first_reached_[s] = is_empty(left, words) ? kNever : first_reached_[s];
  });
  std::fill_n(reached, std::size_t{words}, Word{0});
}

template <class Words>
bool ReachTable::find_sources_in(Words words, Epoch from, Epoch to) {
  Number first = kNever;
  Word any = 0;
  for (std::size_t w = 0; w < words; ++w) {
    Word found = 0;
    for (Word left = row_of(reached_by_, from.thread())[w]; left != 0; left &= left - 1) {
      const auto bit = static_cast<Slot>(std::countr_zero(left));
      const auto p = static_cast<Slot>(w * 64 + bit);
      const Number number = earliest(p, from.thread());
      first = std::min(first, number);
      const bool is_source = (number <= from.time()) & (earliest(p, to.thread()) > to.time());
      found |= Word{is_source} << bit;
    }
    sources_[w] = found;
    any |= found;
  }
  first_reached_[from.thread()] = first;
  return any != 0;
}

template <class Words>
void ReachTable::connect_in(Words words, Epoch to) {
  for_each_member(sources_.data(), words, [&](Slot p) {
    lower(p, to.thread(), to.time());
    for_each_member(row_of(reaches_, to.thread()), words,
                    [&](Slot s) { lower(p, s, earliest(to.thread(), s)); });
  });
}

// Up to 64 threads a set is one word, which needs no loop.
template <class F>
void ReachTable::in_words(F&& f) {
  if (words_ == 1) [[likely]] {
    f(std::integral_constant<std::size_t, 1>{});
  } else {
    f(words_);
  }
}

}  // namespace isosan
