// The imprecise dependence graph (IDG): transactions, the edges between them, and their logs.
//
// Law: a node lives while it is unfinished or has an incoming edge from a live node. A finished
// node without incoming edges can never be in a cycle (edges come in only while a transaction
// runs), so it is dropped with its log, and its successors after it where that was their last
// incoming edge. A TxId is therefore weak: a source that is gone adds no edge.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

#include "event/event.h"

namespace isosan::icd {

struct TxId {
  std::uint32_t slot = ~0u;
  std::uint32_t generation = 0;

  bool operator==(const TxId&) const = default;
};
inline constexpr TxId kNoTx{};

struct LogEntry {
  std::uint64_t ordinal = 0;
  Event event;
};

struct Transaction {
  ThreadId thread{};
  RegionId region{};  // kNoRegion: merged unary transactions
  Where begin;
  bool unary = false;
  bool finished = false;
  bool live = false;
  bool left_by_edge = false;  // unary: the next access starts a new node
  std::uint32_t generation = 0;
  std::uint32_t incoming = 0;
  std::vector<TxId> out;
  std::vector<LogEntry> log;  // in the order of execution

  // Tarjan's bookkeeping, valid within one component_of().
  std::uint64_t visit = 0;
  std::uint32_t order = 0;
  std::uint32_t low = 0;
  bool on_stack = false;
};

class DependenceGraph {
 public:
  TxId begin(ThreadId thread, RegionId region, const Where& where, bool unary);
  void add_edge(TxId from, TxId to);

  // Marks it finished; it may be dropped at the next collect().
  void finish(TxId tx) { at(tx).finished = true; }
  void collect(TxId tx);

  bool is_live(TxId tx) const {
    return tx.slot < nodes_.size() && nodes_[tx.slot].live &&
           nodes_[tx.slot].generation == tx.generation;
  }
  Transaction& at(TxId tx) { return nodes_[tx.slot]; }

  // The strongly connected component of `root` among these; empty where it is trivial.
  enum class Among { kFinished, kAll };
  std::vector<TxId> component_of(TxId root, Among among);

  std::uint64_t oldest_ordinal() const;  // where the oldest live transaction begins
  std::uint64_t edges() const { return edges_; }
  std::size_t live() const { return live_; }
  std::size_t max_live() const { return max_live_; }

 private:
  struct Frame {
    TxId tx;
    std::size_t next_edge;
  };
  void enter(TxId tx, std::vector<Frame>& path, std::vector<TxId>& stack);

  std::deque<Transaction> nodes_;
  std::vector<std::uint32_t> free_;
  std::uint64_t edges_ = 0;
  std::uint64_t visit_ = 0;
  std::uint32_t order_ = 0;
  std::size_t live_ = 0;
  std::size_t max_live_ = 0;
};

}  // namespace isosan::icd
