#include "analysis/doublechecker/dependence_graph.h"

#include <algorithm>
#include <utility>

namespace isosan::icd {

TxId DependenceGraph::begin(ThreadId thread, RegionId region, const Where& where, bool unary,
                            TxId previous) {
  if (free_.empty()) {
    free_.push_back(static_cast<std::uint32_t>(nodes_.size()));
    nodes_.emplace_back();
  }
  const std::uint32_t slot = free_.back();
  free_.pop_back();
  Transaction& node = nodes_[slot];
  node.thread = thread;
  node.region = region;
  node.earlier.clear();
  node.begin = where;
  node.unary = unary;
  node.finished = false;
  node.unary_part = false;
  node.incoming = 0;
  node.last_cut = 0;
  node.replayed_with = 0;
  node.suspect = false;
  node.postponed = false;
  node.live = true;
  if (index(thread) >= begun_.size()) {
    begun_.resize(index(thread) + 1);
    reached_.resize(begun_.size());
    horizons_.resize(begun_.size());
  }
  node.sequence = ++begun_[index(thread)];
  max_live_ = std::max(max_live_, ++live_);
  const TxId tx{slot, node.generation};
  if (is_live(previous)) connect(at(previous), tx);
  return tx;
}

void DependenceGraph::extend(TxId previous, RegionId region, bool unary) {
  Transaction& node = at(previous);
  if (node.unary) {
    node.unary_part = true;
  } else if (std::ranges::find(node.earlier, node.region) == node.earlier.end()) {
    node.earlier.push_back(node.region);
  }
  node.region = region;
  node.unary = unary;
  node.finished = false;
  node.last_cut = 0;
  node.log.begin_transaction();
}

void DependenceGraph::add_edge(TxId from, TxId to) {
  if (!is_live(from)) return;
  Transaction& source = at(from);
  const ThreadId thread = at(to).thread;
  if (source.thread == thread) return;  // program order
  std::uint64_t& reached = reached_[index(thread)][index(source.thread)];
  if (source.sequence <= reached) return;
  reached = source.sequence;
  connect(source, to);
}

void DependenceGraph::connect(Transaction& source, TxId to) {
  source.out.push_back(to);
  ++at(to).incoming;
  ++edges_;
}

std::uint64_t DependenceGraph::oldest_ordinal() const {
  std::uint64_t oldest = ~std::uint64_t{0};
  for (const Transaction& node : nodes_) {
    if (node.live) oldest = std::min(oldest, node.begin.ordinal);
  }
  return oldest;
}

void DependenceGraph::collect(TxId tx) {
  const auto dies = [&](TxId id) { return is_live(id) && at(id).finished && at(id).incoming == 0; };
  if (!dies(tx)) return;
  std::vector<TxId>& dead = dead_;
  dead.push_back(tx);
  while (!dead.empty()) {
    const TxId id = dead.back();
    dead.pop_back();
    for (const TxId successor : at(id).out) {
      --at(successor).incoming;
      if (dies(successor)) dead.push_back(successor);
    }
    drop(id);
  }
}

void DependenceGraph::drop(TxId tx) {
  Transaction& node = at(tx);
  node.out.clear();
  entries_in_memory_ -= node.log.in_memory();
  if (!node.log.empty()) node.log.clear(spill_file_);
  node.live = false;
  ++node.generation;
  --live_;
  free_.push_back(tx.slot);
}

// The nodes that no unfinished transaction reaches.
std::vector<TxId> DependenceGraph::unreachable() {
  ++visit_;
  std::vector<Transaction*> reached;
  const auto reach = [&](Transaction& node) {
    if (std::exchange(node.visit, visit_) != visit_) reached.push_back(&node);
  };
  for (Transaction& node : nodes_) {
    if (node.live && !node.finished) reach(node);
  }
  while (!reached.empty()) {
    const Transaction& node = *reached.back();
    reached.pop_back();
    for (const TxId successor : node.out) reach(at(successor));
  }
  std::vector<TxId> dead;
  for (std::uint32_t slot = 0; slot < nodes_.size(); ++slot) {
    const Transaction& node = nodes_[slot];
    if (node.live && node.visit != visit_) dead.push_back({slot, node.generation});
  }
  return dead;
}

void DependenceGraph::drop_all(const std::vector<TxId>& dead) {
  for (const TxId tx : dead) {
    for (const TxId successor : at(tx).out) --at(successor).incoming;
  }
  for (const TxId tx : dead) drop(tx);
  sweep_at_ = std::max({kFewestNodes, 2 * live_, nodes_.size() / 2});  // a sweep looks at them all
  sweep_at_entries_ = std::max(kFewestEntries, 2 * entries_in_memory_);
}

void DependenceGraph::enter(TxId tx, std::vector<Frame>& path, std::vector<TxId>& stack) {
  Transaction& node = at(tx);
  node.visit = visit_;
  node.order = node.low = ++order_;
  node.on_stack = true;
  stack.push_back(tx);
  path.push_back({tx, 0});
}

void DependenceGraph::spill() {
  for (Transaction& node : nodes_) {
    if (node.live) node.log.spill(spill_file_);
  }
  entries_in_memory_ = 0;
}

void DependenceGraph::widen_horizon(std::uint32_t thread, std::uint64_t sequence) {
  Horizon& horizon = horizons_[thread];
  if (horizon.visit != visit_) {
    horizon = {visit_, sequence};
    threads_to_follow_.push_back(thread);
  } else {
    horizon.sequence = std::max(horizon.sequence, sequence);
  }
}

// A thread can reach the root up to its last edge to a thread that can. That is a little too far if
// that edge came in after the last transaction that reaches the root, which costs time only.
void DependenceGraph::find_horizon(const Transaction& root) {
  constexpr std::size_t kMostEdges = 512;  // between threads: more would cost more than it saves
  std::size_t edges = 0;
  has_horizon_ = true;
  widen_horizon(index(root.thread), root.sequence);
  while (!threads_to_follow_.empty() && has_horizon_) {
    const auto& sources = reached_[threads_to_follow_.back()];
    threads_to_follow_.pop_back();
    edges += sources.size();
    has_horizon_ = edges <= kMostEdges;
    for (const auto& [thread, sequence] : sources) widen_horizon(thread, sequence);
  }
  threads_to_follow_.clear();
}

// Tarjan's algorithm from one root, with its own stack: components may be as deep as the graph.
// Nodes beyond the horizons are skipped: one thread may be far ahead of another in the graph.
std::vector<TxId> DependenceGraph::component_of(TxId root, Among among) {
  order_ = 0;
  if (!may_be_in_cycle(root)) return {};
  ++visit_;
  find_horizon(at(root));
  std::vector<Frame> path;
  std::vector<TxId> stack;
  enter(root, path, stack);
  while (!path.empty()) {
    Frame& frame = path.back();
    Transaction& node = at(frame.tx);
    if (frame.next_edge < node.out.size()) {
      const TxId successor = node.out[frame.next_edge++];
      Transaction& target = at(successor);
      if (among == Among::kFinished && !target.finished) continue;
      if (!may_reach_root(target)) continue;
      if (target.visit != visit_) {
        enter(successor, path, stack);
      } else if (target.on_stack) {
        node.low = std::min(node.low, target.order);
      }
      continue;
    }
    const TxId done = frame.tx;
    path.pop_back();
    if (!path.empty()) at(path.back().tx).low = std::min(at(path.back().tx).low, node.low);
    if (node.low != node.order || done == root) continue;
    while (at(stack.back()).on_stack) {  // a component that does not hold the root: leave it out
      at(stack.back()).on_stack = false;
      const bool last = stack.back() == done;
      stack.pop_back();
      if (last) break;
    }
  }
  return stack.size() > 1 ? stack : std::vector<TxId>{};
}

}  // namespace isosan::icd
