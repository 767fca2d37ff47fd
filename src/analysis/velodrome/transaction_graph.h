// The transaction graph, as small as the question allows: can an open transaction be reached again?
//
// Model. An edge always leads into the transaction that acts now, so only an *open* transaction can
// close a cycle, and all that must be known of any other one is which open transactions reach it:
// its ancestors. A node is a run of consecutive segments of one thread with the same ancestors. The
// nodes of a thread stand in order; ancestors are inherited along the thread, so their sets grow
// from node to node; what a node has beyond the one before it was brought by its incoming edges. An
// open transaction is a node of its own and among its own ancestors.
//
// Laws, for the nodes n1, n2, ... of a thread: ancestors(n1) is not empty and ancestors(n1) ⊂
// ancestors(n2) ⊂ ..., strictly; ancestors(ni) is the disjoint union of ancestors(n(i-1)), of what
// ni's edges bring, and of ni itself where it is open. Hence:
//  - collection: a finished transaction without open ancestors (Velodrome: without incoming edges,
//    its predecessors collected likewise) has no node. Steps that still name it find nothing.
//  - merging: a finished transaction with the ancestors of the one before it shares its node.
//    Velodrome merges only unary transactions. Here all are merged: otherwise one long open
//    transaction would keep everything.
//  - k open transactions mean at most k + 1 nodes per thread and k edges per node, however long the
//    run.
//  - an edge that brings no new ancestor changes nothing and is not kept.
//
// Paper: Flanagan, Freund, Yi, "Velodrome", 2008 (velodrome.md). Not here: what an event is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "analysis/velodrome/slot_set.h"
#include "analysis/velodrome/step.h"
#include "event/finding.h"

namespace isosan::velodrome {

struct Dependence {
  Step from, to;
  EdgeReason reason{};
  std::uint64_t since;  // the ordinal of the first dependence between the two; `to` may be later
};

class TransactionGraph {
 public:
  using Slot = std::uint32_t;  // names an open transaction; reused after its end
  static constexpr Slot kNoSlot = ~Slot{0};

  TransactionGraph() { make_room_for(0); }
  void make_room_for(std::uint32_t thread);

  Slot begin(std::uint32_t thread, std::uint64_t segment);
  void end(Slot transaction);

  // False: no open transaction reaches the step, now or ever. True: maybe. O(1).
  bool may_matter(std::uint64_t segment, std::uint32_t thread) const {
    return segment >= oldest_[thread];
  }
  // Does this open transaction reach the step?
  bool reaches(Slot transaction, const Step& step) const;
  // Can a location that also holds `later`'s latest segment drop this segment? It can if all that
  // reaches it reaches `later`, too: an edge from it brings no more ancestors, and closes no other
  // cycle. Exception: `transaction`, the open transaction of `later` or kNoSlot, has no edge to
  // itself.
  bool is_covered(std::uint64_t segment, std::uint32_t thread, std::uint32_t later,
                  Slot transaction) const;
  // The open transactions that reach `from` and do not reach `thread`'s latest segment.
  SlotSet new_ancestors(const Step& from, std::uint32_t thread) const;

  // The edge from -> to, where `to` is of the open transaction `transaction`, or kNoSlot: of a
  // unary transaction, whose segment is new. `new_ancestors` as returned by new_ancestors().
  void add_edge(const Step& from, const Step& to, EdgeReason reason, const SlotSet& new_ancestors,
                Slot transaction);

  // A further data dependence into an open transaction that brings no new ancestor. If an edge from
  // the same transaction stands for synchronization, it stands for this dependence from now on:
  // data explains a finding better than the lock that ordered it.
  void explain(const Step& from, const Step& to);

  // How `transaction` reaches the step: edges from its first step to one of the step's thread, at
  // or before the step. Consecutive edges meet in a thread, in its order.
  std::vector<Dependence> path(Slot transaction, const Step& step) const;

  std::size_t live_nodes() const { return live_nodes_; }
  std::size_t max_live_nodes() const { return max_live_nodes_; }
  std::uint64_t edges() const { return edges_added_; }

 private:
  using EdgeIndex = std::uint32_t;
  static constexpr EdgeIndex kNoEdge = 0;
  struct Edge {
    Dependence dependence;
    SlotSet brings;  // ancestors that the node has through this edge alone; never empty
    EdgeIndex next = kNoEdge;
  };
  struct Node {
    std::uint64_t first_segment = 0;
    SlotSet ancestors;
    EdgeIndex incoming = kNoEdge;
  };
  using Nodes = std::vector<Node>;
  struct Open {
    std::uint32_t thread = 0;
    std::vector<std::uint32_t> reached;  // the threads with a node that it reaches; its own too
  };

  const Node* find(std::uint64_t segment, std::uint32_t thread) const;
  const SlotSet& latest_ancestors(std::uint32_t thread) const;
  void append_node(std::uint32_t thread, std::uint64_t segment);
  void pass_on(std::uint32_t thread, Slot through, const SlotSet& new_ancestors);
  void note_reached(const SlotSet& transactions, const SlotSet& but, std::uint32_t thread);
  void forget(std::uint32_t thread, Slot transaction);
  void drop_redundant(std::uint32_t thread, std::size_t from);
  template <class F>
  void strip_edges(Node& node, F&& strip);

  std::vector<Nodes> nodes_;  // by thread
  std::vector<std::uint64_t>
      oldest_;              // by thread: first_segment of its first node; none: the largest
  std::vector<Open> open_;  // by slot
  SlotSet free_slots_;
  std::vector<Edge> edges_{1};  // [0] is kNoEdge
  EdgeIndex free_edges_ = kNoEdge;
  std::size_t live_nodes_ = 0, max_live_nodes_ = 0;
  std::uint64_t edges_added_ = 0;
};

}  // namespace isosan::velodrome
