// The imprecise dependence graph (IDG): transactions, the edges between them, and their logs.
//
// Law: a node that no unfinished one reaches can never be in a cycle again (edges come in only
// while a transaction runs). It is dropped with its log: at once if it is finished and has no
// incoming edge, and then its successors likewise; by an occasional sweep if cycles keep nodes
// alive. So a TxId is a weak reference: a source that was dropped adds no edge. Nor does an implied
// one: if U's transaction u2 comes before some transaction of T, so does every earlier u1 of U, by
// program order, and they come before all that T does later. With many live nodes (an open
// transaction that started the other threads keeps all of theirs), a transaction extends the node
// of the one before it as long as no edge has left that node. This is sound: a component with the
// node has both transactions. It is hardly less precise: an edge that comes in later comes into
// both. No edge has left the node, so two transactions in it that do the same have the same
// predecessors and successors in other threads. Of those, and of the ones in between, two are kept
// (transaction_log.h): then each still comes before all that it came before.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "analysis/doublechecker/transaction_log.h"
#include "event/event.h"

namespace isosan::icd {

struct TxId {
  std::uint32_t slot = ~0u;
  std::uint32_t generation = 0;

  bool operator==(const TxId&) const = default;
};
inline constexpr TxId kNoTx{};

struct Transaction {
  ThreadId thread{};
  RegionId region{};  // of the latest in this node; kNoRegion: merged unary transactions
  std::vector<RegionId> earlier;  // regions of those before it in this node, each once
  Where begin;
  bool unary = false;
  bool finished = false;
  bool live = false;
  bool unary_part = false;  // has code outside regions, or the source of an edge lies after it
  std::uint32_t generation = 0;
  std::uint32_t incoming = 0;
  std::uint64_t sequence = 0;       // of its thread's transactions, from 1
  std::uint64_t last_cut = 0;       // number of the cut that ended it; 0: it has not ended
  std::uint64_t replayed_with = 0;  // log entries of the component that it was last replayed in
  bool suspect = false;             // has been in a component
  bool postponed = false;           // the component that it closed has not been replayed since
  std::vector<TxId> out;
  TransactionLog log;

  // Tarjan's bookkeeping, valid within one component_of().
  std::uint64_t visit = 0;
  std::uint32_t order = 0;
  std::uint32_t low = 0;
  bool on_stack = false;
};

class DependenceGraph {
 public:
  // `previous` is the thread's last one: it comes before this.
  TxId begin(ThreadId thread, RegionId region, const Where& where, bool unary, TxId previous);

  // If there are many nodes again, drops those that no unfinished transaction reaches, after
  // calling dropped() for each.
  template <class F>
  void sweep_if_large(F&& dropped) {
    if (live_ < sweep_at_ && entries_in_memory_ < sweep_at_entries_) return;
    const std::vector<TxId> dead = unreachable();
    for (const TxId tx : dead) dropped(tx);
    drop_all(dead);
  }

  // Can the next transaction extend the node of the previous one? Law: no edge comes into it yet.
  bool can_extend(TxId previous) const {
    return live_ > merge_above_ && is_live(previous) && nodes_[previous.slot].finished &&
           nodes_[previous.slot].out.empty();
  }
  void extend(TxId previous, RegionId region, bool unary);
  void drop_repetition(Transaction& tx) {
    if (tx.out.empty()) entries_in_memory_ -= tx.log.drop_repetition();
  }

  void add_edge(TxId from, TxId to);  // of different threads; `to` is the latest of its own

  // It gets no more events; the next collect() may drop it.
  void finish(TxId tx) { at(tx).finished = true; }
  void collect(TxId tx);

  bool is_live(TxId tx) const {
    return tx.slot < nodes_.size() && nodes_[tx.slot].live &&
           nodes_[tx.slot].generation == tx.generation;
  }
  Transaction& at(TxId tx) { return nodes_[tx.slot]; }

  bool may_be_in_cycle(TxId tx) const {
    return !nodes_[tx.slot].out.empty() && nodes_[tx.slot].incoming > 0;
  }
  // The strongly connected component of `root` among these; empty where it is trivial.
  enum class Among { kFinished, kAll };
  std::vector<TxId> component_of(TxId root, Among among);
  std::uint32_t nodes_searched() const { return order_; }  // by the last component_of()

  // Appends to the log of a transaction; spills all logs when they are too large together.
  void record(Transaction& tx, const LogEntry& entry) {
    tx.log.append(entry);
    if (++entries_in_memory_ > max_entries_in_memory_) spill();
  }
  void set_merge_above(std::size_t nodes) { merge_above_ = nodes; }
  void limit_memory(std::uint64_t bytes) { max_entries_in_memory_ = bytes / sizeof(LogEntry); }
  const SpillFile& spill_file() const { return spill_file_; }
  SpillFile& spill_file() { return spill_file_; }

  template <class F>
  void for_each_live(F&& f) {
    for (std::uint32_t slot = 0; slot < nodes_.size(); ++slot)
      if (nodes_[slot].live) f(TxId{slot, nodes_[slot].generation});
  }
  std::uint64_t oldest_ordinal() const;  // where the oldest live transaction begins
  std::uint64_t edges() const { return edges_; }
  std::size_t live() const { return live_; }
  std::size_t max_live() const { return max_live_; }

 private:
  struct Frame {
    TxId tx;
    std::size_t next_edge;
  };
  void spill();
  std::vector<TxId> unreachable();
  void drop_all(const std::vector<TxId>& dead);
  void drop(TxId tx);
  void connect(Transaction& source, TxId to);
  void enter(TxId tx, std::vector<Frame>& path, std::vector<TxId>& stack);
  void find_horizon(const Transaction& root);
  void widen_horizon(std::uint32_t thread, std::uint64_t sequence);
  bool may_reach_root(const Transaction& node) const {
    const Horizon& horizon = horizons_[index(node.thread)];
    return !has_horizon_ || (horizon.visit == visit_ && node.sequence <= horizon.sequence);
  }

  std::deque<Transaction> nodes_;
  std::vector<std::uint32_t> free_;
  std::vector<std::uint64_t> begun_;  // by ThreadId: transactions so far
  // By ThreadId T, then U: the latest transaction of U from which an edge led to one of T.
  std::vector<absl::flat_hash_map<std::uint32_t, std::uint64_t>> reached_;

  // Which nodes may reach the root of component_of(): of each thread the transactions up to here.
  struct Horizon {
    std::uint64_t visit = 0;  // if older than the search: no transaction of that thread
    std::uint64_t sequence = 0;
  };
  std::vector<Horizon> horizons_;  // by ThreadId
  std::vector<std::uint32_t> threads_to_follow_;
  bool has_horizon_ = false;
  std::vector<TxId> dead_;  // scratch of collect()
  std::uint64_t edges_ = 0;
  std::uint64_t visit_ = 0;
  std::uint32_t order_ = 0;
  std::size_t live_ = 0;
  std::size_t max_live_ = 0;
  std::size_t merge_above_ = ~std::size_t{0};
  static constexpr std::size_t kFewestNodes = 1024;
  static constexpr std::uint64_t kFewestEntries = 1u << 16;  // 2 MiB
  std::size_t sweep_at_ = kFewestNodes;                      // live nodes
  std::uint64_t sweep_at_entries_ = kFewestEntries;  // in memory: few nodes may have long logs
  std::uint64_t entries_in_memory_ = 0;
  std::uint64_t max_entries_in_memory_ = ~std::uint64_t{0};
  SpillFile spill_file_;
};

}  // namespace isosan::icd
