// Dependences between threads as the runtime saw them: its markers, beside the events of a batch.
//
// Model. A thread's history is divided by *cuts*: region edges, and operations that publish (after
// which another thread may come). Cuts are numbered from 1 as they stand in the stream. A
// Dependence says that everything of `other` up to a point comes before what follows in `thread`;
// the point is cut `point` itself (exact: the operation that published), or somewhere before the
// cut behind it.
//
// Law: true dependences are implied by Dependences and program order (runtime.md, rule 7). A
// later point of `other` keeps that true, so a source that does not know the point exactly rounds
// it up.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "event/ids.h"
#include "event/kind.h"

namespace isosan {

struct Dependence {
  std::size_t before = 0;  // it comes before this event of the batch
  ThreadId thread{};
  ThreadId other{};
  std::uint64_t point = 0;
  bool exact = false;
};

// Before regions are made of calls, calls may become cuts.
constexpr bool may_be_cut(Kind kind) {
  return is_cut(kind) || kind == Kind::kCall || kind == Kind::kReturn;
}

// Something about each of a thread's latest cuts, by number; older ones are forgotten. Small for
// threads that have few.
template <class T>
class CutHistory {
 public:
  std::uint64_t count() const { return count_; }
  std::uint64_t oldest() const { return count_ > kKept ? count_ - kKept + 1 : 1; }

  void add(const T& value) {
    if (count_++ < kKept) {
      values_.push_back(value);
    } else {
      values_[(count_ - 1) % kKept] = value;
    }
  }
  // oldest() .. count()
  const T& at(std::uint64_t number) const { return values_[(number - 1) % kKept]; }

  // The latest number whose value is below `bound` (values grow with the numbers); forgotten cuts
  // count as below.
  template <class Bound>
  std::uint64_t latest_below(const Bound& bound) const {
    std::uint64_t low = oldest() - 1, high = count_;
    while (low < high) {
      const std::uint64_t middle = high - (high - low) / 4;  // most are recent
      if (at(middle) < bound) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return low;
  }

 private:
  static constexpr std::uint64_t kKept = 1024;
  std::vector<T> values_;
  std::uint64_t count_ = 0;
};

}  // namespace isosan
