#include "analysis/marathon/conflict_graph.h"

#include <algorithm>
#include <utility>

#include "base/free_list.h"

namespace isosan::marathon {

UnitRef ConflictGraph::add(const UnitInfo& info) {
  const std::uint32_t slot = take_free(free_slots_, slots_);
  const Node node = take_free(free_nodes_, nodes_);
  if (mark_.size() < nodes_.size()) {
    mark_.resize(nodes_.size());
    parent_.resize(nodes_.size());
  }
  slots_[slot].node = node;
  Unit& unit = nodes_[node];
  unit.info = info;
  unit.slot = slot;
  unit.order = next_order_++;
  unit.finished = false;
  ++added_;
  max_live_ = std::max(max_live_, ++live_);
  return {slot, slots_[slot].generation};
}

void ConflictGraph::finish(UnitRef ref) {
  if (!alive(ref)) return;
  const Node node = node_of(ref);
  Unit& unit = nodes_[node];
  unit.finished = true;
  if (unit.in.empty()) {
    unit.out.empty() && unit.refused_out.empty() && unit.refused_in.empty() ? remove_one(node)
                                                                            : remove(node);
  } else if (unit.in.size() <= kMaxTwinPredecessors && unit.out.empty() &&
             unit.refused_out.empty() && unit.refused_in.empty()) {
    join_twin(node);
  }
}

ConflictGraph::TwinKey ConflictGraph::twin_key(const Unit& unit) const {
  TwinKey key{index(unit.info.function), index(unit.info.region), {}};
  std::copy(unit.in.begin(), unit.in.end(), key.in.begin());
  std::sort(key.in.begin(), key.in.end());
  return key;
}

// A unit without outgoing edges is merged into its twin, if there is one.
void ConflictGraph::join_twin(Node node) {
  const auto [place, is_first] = twins_.try_emplace(twin_key(nodes_[node]), node);
  Unit& unit = nodes_[node];
  if (is_first) {
    unit.has_twins = true;
    return;
  }
  const Node twin = place->second;
  for (const Node before : unit.in) {
    edges_.erase(key(before, node));
    std::vector<Node>& out = nodes_[before].out;
    out.erase(std::find(out.begin(), out.end(), node));
  }
  unit.in.clear();
  slots_[unit.slot].node = twin;
  nodes_[twin].others.push_back(unit.slot);
  free_nodes_.push_back(node);
  --live_;
}

void ConflictGraph::free_slot(std::uint32_t slot) {
  ++slots_[slot].generation;
  free_slots_.push_back(slot);
}

void ConflictGraph::remove_one(Node node) {
  Unit& unit = nodes_[node];
  free_slot(unit.slot);
  for (const std::uint32_t slot : unit.others) free_slot(slot);
  unit.others.clear();
  free_nodes_.push_back(node);
  --live_;
}

void ConflictGraph::remove(Node first) {
  ready_.push_back(first);
  while (!ready_.empty()) {
    const Node node = ready_.back();
    ready_.pop_back();
    Unit& unit = nodes_[node];
    for (const Node next : unit.out) {
      edges_.erase(key(node, next));
      Unit& successor = nodes_[next];
      if (std::exchange(successor.has_twins, false)) twins_.erase(twin_key(successor));
      successor.in.erase(std::find(successor.in.begin(), successor.in.end(), node));
      if (successor.finished && successor.in.empty()) ready_.push_back(next);
    }
    for (const Node next : unit.refused_out) {
      edges_.erase(key(node, next));
      std::erase(nodes_[next].refused_in, node);
    }
    for (const Node before : unit.refused_in) {
      edges_.erase(key(before, node));
      std::erase(nodes_[before].refused_out, node);
    }
    unit.out.clear();
    unit.refused_out.clear();
    unit.refused_in.clear();
    remove_one(node);
  }
}

void ConflictGraph::note(Edge& edge, const Conflict& conflict) {
  if (edge.conflicts.size() >= kMaxConflictsPerEdge) return;
  for (const Conflict& known : edge.conflicts) {
    if (known.from.site == conflict.from.site && known.to.site == conflict.to.site &&
        known.address == conflict.address) {
      return;
    }
  }
  edge.conflicts.push_back(conflict);
}

Cycle ConflictGraph::add_edge(UnitRef from, UnitRef to, const Conflict& conflict) {
  const Node before = node_of(from), after = node_of(to);
  const auto [place, is_new] = edges_.try_emplace(key(before, after));
  note(place->second, conflict);
  closed_before_ = place->second.refused;
  if (!is_new) return {};
  ++edges_added_;
  std::vector<Node> path;  // to ... from, if there is one
  if (reorder(before, after, path)) {
    nodes_[before].out.push_back(after);
    nodes_[after].in.push_back(before);
    return {};
  }
  edges_.at(key(before, after)).refused = true;
  nodes_[before].refused_out.push_back(after);
  nodes_[after].refused_in.push_back(before);
  Cycle cycle;
  for (std::size_t i = 0; i < path.size(); ++i) {
    const Node next = path[(i + 1) % path.size()];
    cycle.push_back({ref(path[i]), ref(next), edges_.at(key(path[i], next)).conflicts});
  }
  return cycle;
}

// Makes order(from) < order(to), or finds the shortest path to -> from and returns false.
bool ConflictGraph::reorder(Node from, Node to, std::vector<Node>& path) {
  const std::uint64_t low = nodes_[to].order, high = nodes_[from].order;
  if (high < low) return true;
  ++search_;
  std::vector<Node> forward{to};  // breadth first, so that the path is a shortest one
  mark_[to] = search_;
  for (std::size_t i = 0; i < forward.size(); ++i) {
    for (const Node next : nodes_[forward[i]].out) {
      if (mark_[next] == search_ || nodes_[next].order > high) continue;
      mark_[next] = search_;
      parent_[next] = forward[i];
      if (next == from) {
        for (Node node = from; node != to; node = parent_[node]) path.push_back(node);
        path.push_back(to);
        std::reverse(path.begin(), path.end());
        return false;
      }
      forward.push_back(next);
    }
  }
  std::vector<Node> backward;
  collect_backward(from, low, backward);
  assign_orders(backward, forward);
  return true;
}

void ConflictGraph::collect_backward(Node from, std::uint64_t low, std::vector<Node>& reached) {
  reached.push_back(from);
  mark_[from] = search_;
  for (std::size_t i = 0; i < reached.size(); ++i) {
    for (const Node before : nodes_[reached[i]].in) {
      if (mark_[before] == search_ || nodes_[before].order < low) continue;
      mark_[before] = search_;
      reached.push_back(before);
    }
  }
}

// The nodes of both groups share out the places that they had: those before `from` get the smaller.
void ConflictGraph::assign_orders(std::vector<Node>& backward, std::vector<Node>& forward) {
  const auto by_order = [&](Node a, Node b) { return nodes_[a].order < nodes_[b].order; };
  std::sort(backward.begin(), backward.end(), by_order);
  std::sort(forward.begin(), forward.end(), by_order);
  std::vector<std::uint64_t> places;
  for (const Node node : backward) places.push_back(nodes_[node].order);
  for (const Node node : forward) places.push_back(nodes_[node].order);
  std::sort(places.begin(), places.end());
  std::size_t next = 0;
  for (const Node node : backward) nodes_[node].order = places[next++];
  for (const Node node : forward) nodes_[node].order = places[next++];
}

}  // namespace isosan::marathon
