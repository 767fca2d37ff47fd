#include "analysis/velodrome/transaction_graph.h"

#include <algorithm>
#include <utility>

#include "base/check.h"

namespace isosan::velodrome {
namespace {

constexpr std::uint64_t kNoSegment = ~std::uint64_t{0};
const SlotSet kNoAncestors;

}  // namespace

void TransactionGraph::make_room_for(std::uint32_t thread) {
  if (thread < nodes_.size()) return;
  nodes_.resize(thread + 1);
  oldest_.resize(thread + 1, kNoSegment);
}

const TransactionGraph::Node* TransactionGraph::find(std::uint64_t segment,
                                                     std::uint32_t thread) const {
  const Nodes& nodes = nodes_[thread];
  for (std::size_t i = nodes.size(); i > 0; --i)  // mostly it is one of the latest
    if (nodes[i - 1].first_segment <= segment) return &nodes[i - 1];
  return nullptr;
}

const SlotSet& TransactionGraph::latest_ancestors(std::uint32_t thread) const {
  return nodes_[thread].empty() ? kNoAncestors : nodes_[thread].back().ancestors;
}

bool TransactionGraph::reaches(Slot transaction, const Step& step) const {
  const Node* node = find(step.segment, step.thread());
  return node != nullptr && node->ancestors.has(transaction);
}

bool TransactionGraph::is_covered(std::uint64_t segment, std::uint32_t thread, std::uint32_t later,
                                  Slot transaction) const {
  if (!may_matter(segment, thread)) return true;
  const SlotSet& ancestors = find(segment, thread)->ancestors;
  if (transaction != kNoSlot && ancestors.has(transaction)) return false;
  return ancestors.is_subset_of(latest_ancestors(later));
}

SlotSet TransactionGraph::new_ancestors(const Step& from, std::uint32_t thread) const {
  const Node* node = find(from.segment, from.thread());
  return node == nullptr ? SlotSet{} : node->ancestors - latest_ancestors(thread);
}

void TransactionGraph::append_node(std::uint32_t thread, std::uint64_t segment) {
  Nodes& nodes = nodes_[thread];
  if (nodes.empty()) oldest_[thread] = segment;
  nodes.push_back({segment, latest_ancestors(thread), kNoEdge});
  max_live_nodes_ = std::max(max_live_nodes_, ++live_nodes_);
}

TransactionGraph::Slot TransactionGraph::begin(std::uint32_t thread, std::uint64_t segment) {
  if (free_slots_.empty()) {
    free_slots_.add(static_cast<Slot>(open_.size()));
    open_.emplace_back();
  }
  const Slot slot = free_slots_.first();  // the smallest, so that sets stay in one word
  free_slots_.remove(slot);
  open_[slot].thread = thread;
  open_[slot].reached.assign(1, thread);
  append_node(thread, segment);
  nodes_[thread].back().ancestors.add(slot);
  return slot;
}

void TransactionGraph::end(Slot transaction) {
  for (std::uint32_t thread : open_[transaction].reached) forget(thread, transaction);
  free_slots_.add(transaction);
}

void TransactionGraph::add_edge(const Step& from, const Step& to, EdgeReason reason,
                                const SlotSet& new_ancestors, Slot transaction) {
  const Nodes& nodes = nodes_[to.thread()];
  if (nodes.empty() || nodes.back().first_segment != to.segment)
    append_node(to.thread(), to.segment);
  EdgeIndex edge = free_edges_;
  if (edge == kNoEdge) {
    edge = static_cast<EdgeIndex>(edges_.size());
    edges_.emplace_back();
  } else {
    free_edges_ = edges_[edge].next;
  }
  Node& node = nodes_[to.thread()].back();
  edges_[edge] = {{from, to, reason, to.ordinal()}, new_ancestors, node.incoming};
  node.incoming = edge;
  note_reached(new_ancestors, node.ancestors, to.thread());
  node.ancestors |= new_ancestors;
  ++edges_added_;
  if (transaction == kNoSlot) return;
  for (std::uint32_t thread : open_[transaction].reached)
    if (thread != to.thread()) pass_on(thread, transaction, new_ancestors);
}

void TransactionGraph::explain(const Step& from, const Step& to) {
  for (EdgeIndex e = nodes_[to.thread()].back().incoming; e != kNoEdge; e = edges_[e].next) {
    Dependence& known = edges_[e].dependence;
    if (known.reason == EdgeReason::kData || !known.from.same_transaction(from)) continue;
    known = {from, to, EdgeReason::kData, known.since};
    return;
  }
}

// What reaches `through` reaches all that `through` reaches: the nodes of `thread` from the first
// one that has it among its ancestors.
void TransactionGraph::pass_on(std::uint32_t thread, Slot through, const SlotSet& new_ancestors) {
  Nodes& nodes = nodes_[thread];
  note_reached(new_ancestors, nodes.back().ancestors, thread);
  std::size_t first = nodes.size() - 1;
  while (first > 0 && nodes[first - 1].ancestors.has(through)) --first;
  const SlotSet fresh = new_ancestors - nodes[first].ancestors;
  for (EdgeIndex e = nodes[first].incoming; e != kNoEdge; e = edges_[e].next)
    if (edges_[e].brings.has(through)) edges_[e].brings |= fresh;
  nodes[first].ancestors |= new_ancestors;
  for (std::size_t i = first + 1; i < nodes.size(); ++i) {  // they inherit it now
    strip_edges(nodes[i], [&](SlotSet& brings) { brings -= new_ancestors; });
    nodes[i].ancestors |= new_ancestors;
  }
  drop_redundant(thread, first + 1);
}

// `thread` is reached from now on by those of `transactions` that are not in `but`.
void TransactionGraph::note_reached(const SlotSet& transactions, const SlotSet& but,
                                    std::uint32_t thread) {
  (transactions - but).for_each([&](Slot slot) { open_[slot].reached.push_back(thread); });
}

void TransactionGraph::forget(std::uint32_t thread, Slot transaction) {
  Nodes& nodes = nodes_[thread];
  std::size_t i = nodes.size();
  while (i > 0 && nodes[i - 1].ancestors.has(transaction)) --i;
  for (std::size_t j = i; j < nodes.size(); ++j) {
    nodes[j].ancestors.remove(transaction);
    strip_edges(nodes[j], [&](SlotSet& brings) { brings.remove(transaction); });
  }
  drop_redundant(thread, i);
}

// Collection and merging: removes nodes from `from` on that have the ancestors of the node before
// (for the first node: none).
void TransactionGraph::drop_redundant(std::uint32_t thread, std::size_t from) {
  Nodes& nodes = nodes_[thread];
  std::size_t kept = from;
  for (std::size_t i = from; i < nodes.size(); ++i) {
    const SlotSet& before = kept == 0 ? kNoAncestors : nodes[kept - 1].ancestors;
    if (nodes[i].ancestors == before) {
      ISOSAN_CHECK(nodes[i].incoming == kNoEdge);
    } else {
      if (kept != i) nodes[kept] = std::move(nodes[i]);
      ++kept;
    }
  }
  live_nodes_ -= nodes.size() - kept;
  nodes.resize(kept);
  oldest_[thread] = nodes.empty() ? kNoSegment : nodes.front().first_segment;
}

// Applies strip to what each incoming edge brings, and frees edges that bring nothing any more.
template <class F>
void TransactionGraph::strip_edges(Node& node, F&& strip) {
  EdgeIndex* link = &node.incoming;
  while (*link != kNoEdge) {
    Edge& edge = edges_[*link];
    strip(edge.brings);
    if (edge.brings.empty()) {
      const EdgeIndex freed = *link;
      *link = edge.next;
      edge.next = free_edges_;
      free_edges_ = freed;
    } else {
      link = &edge.next;
    }
  }
}

std::vector<Dependence> TransactionGraph::path(Slot transaction, const Step& step) const {
  std::vector<Dependence> backwards;
  Step at = step;
  while (at.thread() != open_[transaction].thread) {
    const Nodes& nodes = nodes_[at.thread()];
    std::size_t i = static_cast<std::size_t>(find(at.segment, at.thread()) - nodes.data());
    while (i > 0 && nodes[i - 1].ancestors.has(transaction)) --i;
    EdgeIndex edge = nodes[i].incoming;
    while (edge != kNoEdge && !edges_[edge].brings.has(transaction)) edge = edges_[edge].next;
    ISOSAN_CHECK(edge != kNoEdge);
    backwards.push_back(edges_[edge].dependence);
    at = backwards.back().from;
  }
  std::reverse(backwards.begin(), backwards.end());
  return backwards;
}

}  // namespace isosan::velodrome
