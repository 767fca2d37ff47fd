// External serializability among the outermost blocks: the rules of Figure 5.
//
// Model: every operation is in a transaction: the outermost block that it is in, or a unary one. A
// thread's Position is L(t), the transaction of its last operation, and whether that block is still
// around it (C(t) = IN). U, R and W of the paper are the two slots of sync_effect.h, for locations
// too: W the last operation that all later ones come after, R those that do not order each other,
// one per thread. An edge of H goes from the transaction in a slot to the one that observes it.
// Unary transactions are not kept where nothing can depend on them: without a live predecessor one
// can be on no cycle; unary ones of a thread in a row, the later ones without a predecessor of
// their own, are one (a case of Velodrome's merge). Law: the graph has a cycle exactly when the
// paper's H* has a non-trivial one. The trail of positions gives the transaction of an operation of
// the past; collected transactions are dropped from it. The filter (singletrack.h) needs it when a
// location turns out to be racy.
#pragma once

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "analysis/singletrack/transaction_graph.h"
#include "event/sync_effect.h"

namespace isosan {

struct Slot {
  NodeRef node;
  Step step;
};

// Slots of one location or synchronization object.
struct Slots {
  Slot w;
  std::vector<Slot> r;  // at most one per thread
};

class ExternalOrder {
 public:
  using OnCycle = std::function<void(const TransactionGraph::Cycle&)>;
  explicit ExternalOrder(OnCycle on_cycle) : on_cycle_(std::move(on_cycle)) {}

  // [XS BEGIN]; the rest of the block's operations are those of threads whose position is inside.
  NodeRef begin(const Step& step, RegionId region);
  void end(const Step& step);  // [XS END]
  void block_over(NodeRef node) { graph_.finish(node); }
  void fork(const Step& step, ThreadId child);  // [XS FORK IN], [XS FORK OUT]
  void join(const Step& step, ThreadId ended);  // [XS JOIN]
  // [XS STOP]. A thread that is joined has stopped before, whether the trace says so or not.
  void stop(const Step& step);
  // [XS ACQUIRE], [XS RELEASE], [XS READ], [XS WRITE], each also [XS OUTSIDE], in three steps,
  // since an access may touch several locations: what it comes after, one call each; its
  // transaction; what it leaves behind, one call each.
  void observe(const Slots& slots, SyncEffect effect);
  NodeRef place(const Step& step, EdgeReason reason);
  void leave(NodeRef node, const Step& step, SyncEffect effect, Slots& slots);

  // The transaction of an access of the past that no edge was made for, as a slot.
  Slot past(const Step& step);

  // Did the thread of the last operation move to another transaction? Then its later accesses must
  // not be taken for repetitions.
  bool has_moved() const { return moved_; }

  std::size_t live_nodes() const { return graph_.live_nodes(); }
  std::size_t most_live_nodes() const { return graph_.most_live_nodes(); }

 private:
  struct Position {
    std::uint64_t since = 0;  // ordinals: from `since`, and, in the trail, before `until`
    std::uint64_t until = 0;
    NodeRef node;
    bool inside = false;
  };
  struct Thread {
    Position now;
    Step last;                    // its last operation
    std::vector<Position> trail;  // earlier positions, oldest first
    std::size_t trail_limit = 32;
    bool stopped = false;
  };

  Thread& thread(ThreadId id) {
    if (index(id) >= threads_.size()) threads_.resize(index(id) + std::size_t{1});
    return threads_[index(id)];
  }
  void move(Thread& t, std::uint64_t ordinal, NodeRef node, bool inside);
  void add_edge(const Slot& from, NodeRef to, const Step& step, EdgeReason reason);
  void observe(const Slot& slot) {
    if (graph_.is_live(slot.node)) sources_.push_back(slot);
  }

  TransactionGraph graph_;
  OnCycle on_cycle_;
  std::vector<Thread> threads_;
  std::vector<Slot> sources_;  // what the current operation comes after
  bool moved_ = false;
};

}  // namespace isosan
