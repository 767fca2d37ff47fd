// The conflict graph: units of work and the order in which they met (Definition 2).
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
// Pruning (4.2): a finished unit without incoming edges can be on no cycle; it goes, and with it
// its outgoing edges, which may free further ones. References to it stay safe: they are stale.
#pragma once

#include <cstddef>
#include <cstdint>
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
    return unit.slot != 0 && units_[unit.slot].generation == unit.generation;
  }
  const UnitInfo& info(UnitRef unit) const { return units_[unit.slot].info; }
  bool finished(UnitRef unit) const { return units_[unit.slot].finished; }

  // Both alive and different. The cycle that the edge closes, empty if none; an edge that closed
  // one before closes it again only in that its further conflicts are told by closed_before().
  Cycle add_edge(UnitRef from, UnitRef to, const Conflict& conflict);
  bool closed_before() const { return closed_before_; }

  std::size_t live_units() const { return live_; }
  std::size_t max_live_units() const { return max_live_; }
  std::uint64_t units() const { return added_; }
  std::uint64_t edges() const { return edges_added_; }

 private:
  using Slot = std::uint32_t;
  static constexpr std::size_t kMaxConflictsPerEdge = 8;
  struct Unit {
    UnitInfo info;
    std::uint64_t order = 0;  // topological: an edge leads from a smaller to a larger one
    std::uint32_t generation = 0;
    bool finished = false;
    std::vector<Slot> out, in;
    std::vector<Slot> refused_out, refused_in;  // partners of edges that were left out
  };
  struct Edge {
    bool refused = false;
    std::vector<Conflict> conflicts;
  };

  static std::uint64_t key(Slot from, Slot to) { return std::uint64_t{from} << 32 | to; }
  static void note(Edge& edge, const Conflict& conflict);
  bool reorder(Slot from, Slot to, std::vector<Slot>& path);
  void collect_backward(Slot from, std::uint64_t low, std::vector<Slot>& reached);
  void assign_orders(std::vector<Slot>& backward, std::vector<Slot>& forward);
  void remove(Slot slot);

  std::vector<Unit> units_ = std::vector<Unit>(1);  // slot 0 is never used
  std::vector<Slot> free_;
  absl::flat_hash_map<std::uint64_t, Edge> edges_;
  std::vector<std::uint32_t> mark_, parent_;  // by slot, of the search that is running
  std::uint32_t search_ = 0;
  std::uint64_t next_order_ = 1;
  bool closed_before_ = false;
  std::size_t live_ = 0, max_live_ = 0;
  std::uint64_t added_ = 0, edges_added_ = 0;
};

}  // namespace isosan::marathon
