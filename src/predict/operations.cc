#include "predict/operations.h"

#include <algorithm>
#include <functional>
#include <iterator>

#include "base/check.h"

namespace isosan::predict {

void Operations::push_back(const Operation& operation) {
  const OperationNumber number = size();
  ISOSAN_CHECK(number < ~OperationNumber{0});
  const auto [found, added] =
      shape_numbers_.try_emplace(operation, static_cast<ShapeIndex>(shapes_.size()));
  if (added) shapes_.push_back(operation);
  shape_of_.push_back(found->second);
  objects_.push_back(operation.object);
  if (operation.thread >= threads_.size()) threads_.resize(operation.thread + std::size_t{1});
  ThreadStretches& thread = threads_[operation.thread];
  const bool is_new =
      thread.stretches.empty() || thread.stretches.back().number != number / kStretch;
  if (is_new) thread.stretches.push_back({number / kStretch, thread.count});
  ++thread.count;
}

OperationNumber Operations::number_of(std::uint32_t thread, std::uint32_t index) const {
  ISOSAN_CHECK(index < count_of(thread));
  const std::vector<Stretch>& all = threads_[thread].stretches;
  const Stretch& in =
      *std::prev(std::ranges::upper_bound(all, index, std::less{}, &Stretch::before));
  OperationNumber number = in.number * kStretch;
  for (std::uint32_t left = index - in.before;; ++number) {
    if (shape(shape_of_[number]).thread == thread && left-- == 0) return number;
  }
}

std::uint32_t Operations::executed(std::uint32_t thread, OperationNumber number) const {
  if (count_of(thread) == 0) return 0;
  const std::vector<Stretch>& all = threads_[thread].stretches;
  const auto next = std::ranges::lower_bound(all, number / kStretch, std::less{}, &Stretch::number);
  if (next == all.end()) return count_of(thread);
  std::uint32_t count = next->before;
  for (OperationNumber n = next->number * kStretch; n < number; ++n)
    count += shape(shape_of_[n]).thread == thread;
  return count;
}

}  // namespace isosan::predict
