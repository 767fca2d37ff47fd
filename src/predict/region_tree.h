// Nested executions of regions: whether two operations are of one transaction.
//
// Model: a node is one execution of a region; its parent is the execution around it. The root of a
// thread stands for the thread as a whole. Two operations are of one transaction when some node
// other than a root (or, if threads are regions, any node) has both.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/check.h"
#include "event/ids.h"

namespace isosan::predict {

using NodeIndex = std::uint32_t;

class RegionTree {
 public:
  NodeIndex new_root() { return add({0, kNoRegion, 0}); }
  NodeIndex open(NodeIndex parent, RegionId region) {
    return add({parent, region, nodes_[parent].depth + 1});
  }
  std::size_t size() const { return nodes_.size(); }
  NodeIndex parent(NodeIndex node) const { return nodes_[node].parent; }
  RegionId region(NodeIndex node) const { return nodes_[node].region; }
  bool is_root(NodeIndex node) const { return nodes_[node].depth == 0; }
  std::uint32_t depth(NodeIndex node) const { return nodes_[node].depth; }

  // The innermost node that has both; they are of one thread.
  NodeIndex common(NodeIndex a, NodeIndex b) const {
    while (nodes_[a].depth > nodes_[b].depth) a = nodes_[a].parent;
    while (nodes_[b].depth > nodes_[a].depth) b = nodes_[b].parent;
    while (a != b) {
      a = nodes_[a].parent;
      b = nodes_[b].parent;
    }
    return a;
  }

 private:
  struct Node {
    NodeIndex parent;
    RegionId region;
    std::uint32_t depth;
  };
  NodeIndex add(const Node& node) {
    ISOSAN_CHECK(nodes_.size() < ~NodeIndex{0});
    nodes_.push_back(node);
    return static_cast<NodeIndex>(nodes_.size() - 1);
  }

  std::vector<Node> nodes_;
};

}  // namespace isosan::predict
