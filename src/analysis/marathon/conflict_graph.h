// The conflict graph: units of work and the order of their conflicts (Definition 2).
//
// Model: a node is one dynamic unit of work; an edge u -> v says that v accessed a location after a
// conflicting access of u. There are no program-order edges. An execution is atomic-set
// serializable iff the graph is acyclic (Lemma 1).
//
// Algorithm: the graph is kept acyclic and topologically ordered while edges come in, by Pearce and
// Kelly, "A dynamic topological sort algorithm for directed acyclic graphs", JEA 11 (2006): only an
// edge against the order costs anything, and only within the stretch of the order between its ends.
// (The paper uses Haeupler et al., ICALP 2008; with pruning the graph is so small that the simpler
// algorithm wins.) An edge that would close a cycle is handed back as the cycle and left out.
//
// Pruning (4.2): a finished unit without incoming edges can be on no cycle. It is removed, and with
// it its outgoing edges, which may free further units. References to it stay safe: they are stale.
//
// Twins: finished units of one function with the same predecessors are one node. A finished unit
// gets no more incoming edges, so an edge from one of them closes the same cycles as an edge from
// the other. Without twins, a long open unit would keep all units that came after it in the graph.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "event/event.h"
#include "event/ids.h"

namespace isosan::marathon {

struct UnitRef {
  std::uint32_t slot = 0;  // 0: none
  std::uint32_t generation = 0;
  bool operator==(const UnitRef&) const = default;
};

struct UnitInfo {
  FunctionId function{};  // kNoFunction: an annotated block, or a single access
  RegionId region{};      // of an annotated block
  Address object = 0;
  Where begin;
};

// One access of a unit, as an edge remembers it.
struct AccessPoint {
  std::uint64_t ordinal = 0;
  SiteId site{};
  ContextId context{};
  Kind operation{};
};

struct Conflict {
  AccessPoint from, to;
  Address address = 0;
  std::uint64_t size = 0;
  std::uint32_t set = 0;  // the atomic set, as the caller numbers them
};

struct CycleEdge {
  UnitRef from, to;
  std::vector<Conflict> conflicts;  // the accesses that induce the edge, with distinct sites
};
using Cycle = std::vector<CycleEdge>;  // leads round; the last edge is the one that closes it

class ConflictGraph {
 public:
  UnitRef add(const UnitInfo& info);
  void finish(UnitRef unit);
  bool alive(UnitRef unit) const {
    return unit.slot != 0 && slots_[unit.slot].generation == unit.generation;
  }
  // Are these live units one node?
  bool same(UnitRef a, UnitRef b) const { return node_of(a) == node_of(b); }
  const UnitInfo& info(UnitRef unit) const { return nodes_[node_of(unit)].info; }
  bool finished(UnitRef unit) const { return nodes_[node_of(unit)].finished; }

  // Both alive and different. The cycle that the edge closes, empty if none; an edge that closed
  // one before is not returned again; closed_before() says so for its further conflicts.
  Cycle add_edge(UnitRef from, UnitRef to, const Conflict& conflict);
  bool closed_before() const { return closed_before_; }

  std::size_t live_units() const { return live_; }
  std::size_t max_live_units() const { return max_live_; }
  std::uint64_t units() const { return added_; }
  std::uint64_t edges() const { return edges_added_; }

 private:
  using Node = std::uint32_t;
  static constexpr std::size_t kMaxConflictsPerEdge = 8;
  static constexpr std::size_t kMaxTwinPredecessors = 4;
  struct Slot {
    std::uint32_t generation = 0;
    Node node = 0;
  };
  struct Unit {
    UnitInfo info;
    std::uint64_t order = 0;  // topological: an edge leads from a smaller to a larger one
    bool finished = false;
    bool has_twins = false;             // it is in twins_
    std::uint32_t slot = 0;             // its own, ...
    std::vector<std::uint32_t> others;  // ... and those of its twins
    std::vector<Node> out, in;
    std::vector<Node> refused_out, refused_in;  // partners of edges that were left out
  };
  struct Edge {
    bool refused = false;
    std::vector<Conflict> conflicts;
  };
  struct TwinKey {  // function, region, predecessors in order
    std::uint32_t function = 0, region = 0;
    std::array<Node, kMaxTwinPredecessors> in{};
    bool operator==(const TwinKey&) const = default;
    template <class H>
    friend H AbslHashValue(H h, const TwinKey& key) {
      return H::combine(std::move(h), key.function, key.region, key.in);
    }
  };

  Node node_of(UnitRef unit) const { return slots_[unit.slot].node; }
  UnitRef ref(Node node) const { return {nodes_[node].slot, slots_[nodes_[node].slot].generation}; }
  static std::uint64_t key(Node from, Node to) { return std::uint64_t{from} << 32 | to; }
  static void note(Edge& edge, const Conflict& conflict);
  bool reorder(Node from, Node to, std::vector<Node>& path);
  void collect_backward(Node from, std::uint64_t low, std::vector<Node>& reached);
  void assign_orders(std::vector<Node>& backward, std::vector<Node>& forward);
  TwinKey twin_key(const Unit& unit) const;
  void join_twin(Node node);
  void remove(Node node);
  void remove_one(Node node);
  void free_slot(std::uint32_t slot);

  std::vector<Slot> slots_ = std::vector<Slot>(1);  // slot 0 is never used
  std::vector<Unit> nodes_ = std::vector<Unit>(1);  // nor is node 0
  std::vector<std::uint32_t> free_slots_;
  std::vector<Node> free_nodes_;
  std::vector<Node> ready_;  // to be removed
  absl::flat_hash_map<std::uint64_t, Edge> edges_;
  absl::flat_hash_map<TwinKey, Node> twins_;
  std::vector<std::uint32_t> mark_, parent_;  // by node, of the search that is running
  std::uint32_t search_ = 0;
  std::uint64_t next_order_ = 1;
  bool closed_before_ = false;
  std::size_t live_ = 0, max_live_ = 0;
  std::uint64_t added_ = 0, edges_added_ = 0;
};

}  // namespace isosan::marathon
