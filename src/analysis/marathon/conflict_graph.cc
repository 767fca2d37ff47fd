#include "analysis/marathon/conflict_graph.h"

#include <algorithm>

namespace isosan::marathon {

UnitRef ConflictGraph::add(const UnitInfo& info) {
  Slot slot;
  if (free_.empty()) {
    slot = static_cast<Slot>(units_.size());
    units_.emplace_back();
    mark_.resize(units_.size());
    parent_.resize(units_.size());
  } else {
    slot = free_.back();
    free_.pop_back();
  }
  Unit& unit = units_[slot];
  unit.info = info;
  unit.order = next_order_++;
  unit.finished = false;
  ++added_;
  max_live_ = std::max(max_live_, ++live_);
  return {slot, unit.generation};
}

void ConflictGraph::finish(UnitRef unit) {
  if (!alive(unit)) return;
  units_[unit.slot].finished = true;
  if (units_[unit.slot].in.empty()) remove(unit.slot);
}

void ConflictGraph::remove(Slot first) {
  std::vector<Slot> ready{first};
  while (!ready.empty()) {
    const Slot slot = ready.back();
    ready.pop_back();
    Unit& unit = units_[slot];
    for (const Slot next : unit.out) {
      edges_.erase(key(slot, next));
      Unit& successor = units_[next];
      successor.in.erase(std::find(successor.in.begin(), successor.in.end(), slot));
      if (successor.finished && successor.in.empty()) ready.push_back(next);
    }
    for (const Slot next : unit.refused_out) edges_.erase(key(slot, next));
    for (const Slot before : unit.refused_in) edges_.erase(key(before, slot));
    unit.out.clear();
    unit.refused_out.clear();
    unit.refused_in.clear();
    ++unit.generation;
    free_.push_back(slot);
    --live_;
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
  const auto [place, is_new] = edges_.try_emplace(key(from.slot, to.slot));
  note(place->second, conflict);
  closed_before_ = place->second.refused;
  if (!is_new) return {};
  ++edges_added_;
  std::vector<Slot> path;  // to ... from, if there is one
  if (reorder(from.slot, to.slot, path)) {
    units_[from.slot].out.push_back(to.slot);
    units_[to.slot].in.push_back(from.slot);
    return {};
  }
  edges_.at(key(from.slot, to.slot)).refused = true;
  units_[from.slot].refused_out.push_back(to.slot);
  units_[to.slot].refused_in.push_back(from.slot);
  Cycle cycle;
  const auto ref = [&](Slot slot) { return UnitRef{slot, units_[slot].generation}; };
  for (std::size_t i = 0; i < path.size(); ++i) {
    const Slot next = path[(i + 1) % path.size()];
    cycle.push_back({ref(path[i]), ref(next), edges_.at(key(path[i], next)).conflicts});
  }
  return cycle;
}

// Makes order(from) < order(to), or finds the shortest path to -> from and returns false.
bool ConflictGraph::reorder(Slot from, Slot to, std::vector<Slot>& path) {
  const std::uint64_t low = units_[to].order, high = units_[from].order;
  if (high < low) return true;
  ++search_;
  std::vector<Slot> forward{to};  // breadth first, so that the path is a shortest one
  mark_[to] = search_;
  for (std::size_t i = 0; i < forward.size(); ++i) {
    for (const Slot next : units_[forward[i]].out) {
      if (mark_[next] == search_ || units_[next].order > high) continue;
      mark_[next] = search_;
      parent_[next] = forward[i];
      if (next == from) {
        for (Slot slot = from; slot != to; slot = parent_[slot]) path.push_back(slot);
        path.push_back(to);
        std::reverse(path.begin(), path.end());
        return false;
      }
      forward.push_back(next);
    }
  }
  std::vector<Slot> backward;
  collect_backward(from, low, backward);
  assign_orders(backward, forward);
  return true;
}

void ConflictGraph::collect_backward(Slot from, std::uint64_t low, std::vector<Slot>& reached) {
  reached.push_back(from);
  mark_[from] = search_;
  for (std::size_t i = 0; i < reached.size(); ++i) {
    for (const Slot before : units_[reached[i]].in) {
      if (mark_[before] == search_ || units_[before].order < low) continue;
      mark_[before] = search_;
      reached.push_back(before);
    }
  }
}

// What comes before `from` takes the smaller ones of the places that both groups had.
void ConflictGraph::assign_orders(std::vector<Slot>& backward, std::vector<Slot>& forward) {
  const auto by_order = [&](Slot a, Slot b) { return units_[a].order < units_[b].order; };
  std::sort(backward.begin(), backward.end(), by_order);
  std::sort(forward.begin(), forward.end(), by_order);
  std::vector<std::uint64_t> places;
  for (const Slot slot : backward) places.push_back(units_[slot].order);
  for (const Slot slot : forward) places.push_back(units_[slot].order);
  std::sort(places.begin(), places.end());
  std::size_t next = 0;
  for (const Slot slot : backward) units_[slot].order = places[next++];
  for (const Slot slot : forward) units_[slot].order = places[next++];
}

}  // namespace isosan::marathon
