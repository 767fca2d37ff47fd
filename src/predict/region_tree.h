// Nested executions of regions: whether two operations are of one transaction.
//
// Model: a node is one execution of a region; its parent is the execution around it. The root of a
// thread stands for the thread as a whole. Two operations are of one transaction when some node
// other than a root (or, if threads are regions, any node) has both.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/check.h"
#include "event/ids.h"
#include "predict/packed_column.h"

namespace isosan::predict {

using NodeIndex = std::uint32_t;

class RegionTree {
 public:
  NodeIndex new_root() { return add(0, kNoRegion, 0); }
  NodeIndex open(NodeIndex parent, RegionId region) {
    return add(parent, region, depth(parent) + 1);
  }
  std::size_t size() const { return parents_.size(); }
  NodeIndex parent(NodeIndex node) const { return parents_[node]; }
  RegionId region(NodeIndex node) const { return RegionId{regions_[node]}; }
  bool is_root(NodeIndex node) const { return depth(node) == 0; }
  std::uint32_t depth(NodeIndex node) const { return depths_[node]; }

  // The innermost node that has both; they are of one thread.
  NodeIndex common(NodeIndex a, NodeIndex b) const {
    if (a == b) return a;
    std::uint32_t depth_a = depth(a), depth_b = depth(b);
    for (; depth_a > depth_b; --depth_a) a = parent(a);
    for (; depth_b > depth_a; --depth_b) b = parent(b);
    while (a != b) {
      a = parent(a);
      b = parent(b);
    }
    return a;
  }

 private:
  NodeIndex add(NodeIndex parent, RegionId region, std::uint32_t depth) {
    ISOSAN_CHECK(size() < ~NodeIndex{0});
    parents_.push_back(parent);
    regions_.push_back(index(region));
    depths_.push_back(depth);
    return static_cast<NodeIndex>(size() - 1);
  }

  PackedColumn parents_, regions_, depths_;  // by node
};

}  // namespace isosan::predict
