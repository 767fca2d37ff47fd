#include "analysis/singletrack/transaction_graph.h"

#include <algorithm>
#include <utility>

#include "base/check.h"

namespace isosan {

NodeRef TransactionGraph::add(ThreadId thread, RegionId region, const Where& begin) {
  std::uint32_t slot = 0;
  if (free_.empty()) {
    slot = static_cast<std::uint32_t>(nodes_.size());
    nodes_.emplace_back();
  } else {
    slot = free_.back();
    free_.pop_back();
  }
  Node& node = nodes_[slot];
  node.finished = false;
  node.in_degree = 0;
  node.place = next_place_++;
  node.transaction = {.thread = thread, .region = region, .begin = begin, .finished = false};
  most_live_ = std::max(most_live_, ++live_);
  return {slot, node.generation};
}

void TransactionGraph::finish(NodeRef ref) {
  Node& node = nodes_[ref.slot];
  node.finished = true;
  node.transaction.finished = true;
  if (node.in_degree == 0) collect(ref.slot);
}

void TransactionGraph::collect(std::uint32_t first) {
  std::vector<std::uint32_t>& stack = after_;
  stack.assign(1, first);
  while (!stack.empty()) {
    const std::uint32_t slot = stack.back();
    stack.pop_back();
    for (const std::uint32_t target : nodes_[slot].out) {
      edges_.erase(key(slot, target));
      Node& next = nodes_[target];
      if (--next.in_degree == 0 && next.finished) stack.push_back(target);
    }
    Node& node = nodes_[slot];
    ++node.generation;
    node.out.clear();
    node.in.clear();
    --live_;
    free_.push_back(slot);
  }
}

std::optional<TransactionGraph::Cycle> TransactionGraph::add_edge(NodeRef from, NodeRef to,
                                                                  const Edge& edge) {
  if (from == to || edges_.contains(key(from.slot, to.slot))) return std::nullopt;
  if (nodes_[from.slot].place > nodes_[to.slot].place && reorder(from.slot, to.slot)) {
    return cycle_through(from.slot, to.slot, edge);
  }
  edges_.emplace(key(from.slot, to.slot), edge);
  nodes_[from.slot].out.push_back(to.slot);
  Node& target = nodes_[to.slot];
  ++target.in_degree;
  if (target.in.size() > 2 * target.in_degree + 8) {
    std::erase_if(target.in, [&](NodeRef source) { return !is_live(source); });
  }
  target.in.push_back(from);
  return std::nullopt;
}

bool TransactionGraph::reorder(std::uint32_t from, std::uint32_t to) {
  after_.clear();
  before_.clear();
  forward(to, nodes_[from].place);
  const bool closes = nodes_[from].visited;
  if (!closes) {
    backward(from, nodes_[to].place);
    assign_places();
  }
  forget_visits();
  return closes;
}

// All that is reached from `slot` and stands at `limit` or before it.
void TransactionGraph::forward(std::uint32_t slot, std::uint64_t limit) {
  nodes_[slot].visited = true;
  after_.push_back(slot);
  for (std::size_t i = after_.size() - 1; i < after_.size(); ++i) {
    for (const std::uint32_t next : nodes_[after_[i]].out) {
      if (nodes_[next].visited || nodes_[next].place > limit) continue;
      nodes_[next].visited = true;
      after_.push_back(next);
    }
  }
}

// All that reaches `slot` and stands at `limit` or after it.
void TransactionGraph::backward(std::uint32_t slot, std::uint64_t limit) {
  nodes_[slot].visited = true;
  before_.push_back(slot);
  for (std::size_t i = 0; i < before_.size(); ++i) {
    for (const NodeRef previous : nodes_[before_[i]].in) {
      if (!is_live(previous)) continue;
      Node& node = nodes_[previous.slot];
      if (node.visited || node.place < limit) continue;
      node.visited = true;
      before_.push_back(previous.slot);
    }
  }
}

// The nodes of before_, then those of after_, share out the places that they had.
void TransactionGraph::assign_places() {
  const auto by_place = [&](std::uint32_t a, std::uint32_t b) {
    return nodes_[a].place < nodes_[b].place;
  };
  std::sort(before_.begin(), before_.end(), by_place);
  std::sort(after_.begin(), after_.end(), by_place);
  std::vector<std::uint64_t> places;
  places.reserve(before_.size() + after_.size());
  for (const std::uint32_t slot : before_) places.push_back(nodes_[slot].place);
  for (const std::uint32_t slot : after_) places.push_back(nodes_[slot].place);
  std::sort(places.begin(), places.end());
  std::size_t i = 0;
  for (const std::uint32_t slot : before_) nodes_[slot].place = places[i++];
  for (const std::uint32_t slot : after_) nodes_[slot].place = places[i++];
}

void TransactionGraph::forget_visits() {
  for (const std::uint32_t slot : after_) nodes_[slot].visited = false;
  for (const std::uint32_t slot : before_) nodes_[slot].visited = false;
}

// A shortest way from `to` to `from`, closed by the new edge.
TransactionGraph::Cycle TransactionGraph::cycle_through(std::uint32_t from, std::uint32_t to,
                                                        const Edge& closing) {
  absl::flat_hash_map<std::uint32_t, std::uint32_t> previous{{to, to}};
  std::vector<std::uint32_t> queue{to};
  for (std::size_t i = 0; i < queue.size() && !previous.contains(from); ++i) {
    for (const std::uint32_t next : nodes_[queue[i]].out) {
      if (previous.emplace(next, queue[i]).second) queue.push_back(next);
    }
  }
  ISOSAN_CHECK(previous.contains(from));
  Cycle cycle{{nodes_[from].transaction, closing}};
  for (std::uint32_t slot = from; slot != to; slot = previous[slot]) {
    const std::uint32_t source = previous[slot];
    cycle.push_back({nodes_[source].transaction, edges_.at(key(source, slot))});
  }
  std::reverse(cycle.begin(), cycle.end());
  return cycle;
}

}  // namespace isosan
