// The transactional happens-before graph H, kept acyclic; and the cycle that an edge would close.
//
// Model: nodes are transactions (blocks and unary ones). Each has a place in a topological order;
// an edge that agrees with it is free, another one searches the part of the graph between its ends
// and reorders it (Pearce and Kelly 2006). A node that is finished and has no incoming edge can be
// on no cycle: it is collected, with its edges, and so on (Velodrome's rule; PLDI 2008, section 5).
// References to collected nodes are dead, and stand for no node.
// Law: an edge that would close a cycle is not added; its cycle is handed back.
// Not here: what the transactions and edges mean.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "analysis/singletrack/node_ref.h"
#include "event/finding.h"

namespace isosan {

struct Step {
  Where where;
  Kind kind{};
  Address address = 0;
  std::uint64_t size = 0;
};

class TransactionGraph {
 public:
  struct Edge {
    Step from;
    Step to;
    EdgeReason reason{};
  };
  struct CycleNode {
    FindingTransaction transaction;
    Edge out;  // to the next node; the last node's leads to the first
  };
  using Cycle = std::vector<CycleNode>;

  NodeRef add(ThreadId thread, RegionId region, const Where& begin);
  void finish(NodeRef node);
  bool is_live(NodeRef node) const {
    return node.generation != 0 && nodes_[node.slot].generation == node.generation;
  }
  bool is_finished(NodeRef node) const { return nodes_[node.slot].finished; }
  bool is_finished_unary(NodeRef node) const {
    return is_finished(node) && nodes_[node.slot].transaction.region == kNoRegion;
  }

  // Both are live. Nothing happens for an edge that is there, or from a node to itself.
  std::optional<Cycle> add_edge(NodeRef from, NodeRef to, const Edge& edge);

  std::size_t live_nodes() const { return live_; }
  std::size_t most_live_nodes() const { return most_live_; }

 private:
  struct Node {
    std::uint32_t generation = 1;
    bool finished = false;
    bool visited = false;
    std::uint32_t in_degree = 0;
    std::uint64_t place = 0;         // in the topological order
    std::vector<std::uint32_t> out;  // slots
    std::vector<NodeRef> in;         // may hold collected ones
    FindingTransaction transaction;
  };

  static std::uint64_t key(std::uint32_t from, std::uint32_t to) {
    return std::uint64_t{from} << 32 | to;
  }
  void collect(std::uint32_t slot);
  // True: `from` was reached from `to`. Otherwise the order has been made to agree with the edge.
  bool reorder(std::uint32_t from, std::uint32_t to);
  void forward(std::uint32_t slot, std::uint64_t limit);
  void backward(std::uint32_t slot, std::uint64_t limit);
  void assign_places();
  void forget_visits();
  Cycle cycle_through(std::uint32_t from, std::uint32_t to, const Edge& closing);

  std::vector<Node> nodes_;
  std::vector<std::uint32_t> free_;
  absl::flat_hash_map<std::uint64_t, Edge> edges_;  // by key(from, to)
  std::uint64_t next_place_ = 0;
  std::size_t live_ = 0;
  std::size_t most_live_ = 0;
  std::vector<std::uint32_t> after_,
      before_;  // scratch of reorder(): reached from `to`; reach `from`
};

}  // namespace isosan
