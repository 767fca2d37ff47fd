// The operations of a run in linear order, and which of them are a thread's.
//
// Model: most of an operation is its *shape*, which it has in common with many others; a shape has a
// number. Beside it an operation has the object that it works on. So operations are two columns of
// small numbers. Where the i-th operation of a thread is, and how many of a thread's come before
// some operation, is counted from the start of a stretch of kStretch operations; each thread has a
// list of the stretches in which it runs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "event/ids.h"
#include "event/kind.h"
#include "predict/packed_column.h"

namespace isosan::predict {

using OperationNumber = std::uint32_t;  // its place in the linear order
using ShapeIndex = std::uint32_t;

// An operation's number and its index among those of its thread.
struct OperationId {
  OperationNumber number = 0;
  std::uint32_t index = 0;

  auto operator<=>(const OperationId&) const = default;
};

struct Shape {
  std::uint32_t thread = 0;
  SiteId site{};
  ContextId context{};
  Kind kind{};
  std::uint8_t mask = 0;  // an access: bytes of the slot; 0: a wide access

  bool operator==(const Shape&) const = default;
  template <class H>
  friend H AbslHashValue(H h, const Shape& s) {
    return H::combine(std::move(h), s.thread, s.site, s.context, s.kind, s.mask);
  }
};

struct Operation : Shape {
  std::uint32_t object = 0;  // an access: its slot, or its place in the wide accesses; a lock
                             // operation: its lock
};

class Operations {
 public:
  static constexpr std::uint32_t kStretch = 512;

  void push_back(const Operation& operation);
  OperationNumber size() const { return static_cast<OperationNumber>(objects_.size()); }

  Operation operator[](OperationNumber n) const { return {shapes_[shape_of_[n]], objects_[n]}; }
  ShapeIndex shape_of(OperationNumber n) const { return shape_of_[n]; }
  const Shape& shape(ShapeIndex shape) const { return shapes_[shape]; }

  // Calls f(OperationNumber, ShapeIndex, const Shape&, object) for all, in linear order.
  template <class F>
  void for_each(F&& f) const {
    PackedColumn::Reader shapes(shape_of_), objects(objects_);
    for (OperationNumber n = 0; n < size(); ++n) {
      const ShapeIndex shape = shapes.next();
      f(n, shape, shapes_[shape], objects.next());
    }
  }

  std::uint32_t count_of(std::uint32_t thread) const {
    return thread < threads_.size() ? threads_[thread].count : 0;
  }
  OperationNumber number_of(std::uint32_t thread, std::uint32_t index) const;
  // Operations of `thread` among the first `number` operations.
  std::uint32_t executed(std::uint32_t thread, OperationNumber number) const;

 private:
  struct Stretch {
    std::uint32_t number = 0;  // its first operation is number * kStretch
    std::uint32_t before = 0;  // operations of the thread before it
  };
  struct ThreadStretches {
    std::uint32_t count = 0;  // operations
    std::vector<Stretch> stretches;
  };

  std::vector<Shape> shapes_;
  absl::flat_hash_map<Shape, ShapeIndex> shape_numbers_;
  PackedColumn shape_of_, objects_;
  std::vector<ThreadStretches> threads_;
};

}  // namespace isosan::predict
