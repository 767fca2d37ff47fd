// The observed run, kept for prediction: every operation in linear order, and what each thread's
// locks, clocks and regions were at any point of it.
//
// Model: an operation has a *number* (its place in the linear order of operations) and an *index*
// (its place in its thread, event/schedule.h). "Thread t after n" is t when it has executed its
// first n operations. All that grows with the run is in packed columns: 4 to 6 bytes an operation.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "event/event.h"
#include "event/schedule.h"
#include "predict/causal_clocks.h"
#include "predict/locations.h"
#include "predict/lock_timeline.h"
#include "predict/operations.h"
#include "predict/region_tree.h"

namespace isosan::predict {

struct ThreadRun {
  LockTimeline locks;
  NodeIndex root = 0;
  NodeIndex node = 0;  // while the run is read
  bool born = false;
  // From its operation change_at[i] on, nodes[i] is the innermost region execution.
  PackedColumn change_at, nodes;

  void set_node(std::uint32_t index, NodeIndex innermost) {
    if (!nodes.empty() && nodes.back() == innermost) return;
    change_at.push_back(index);
    nodes.push_back(innermost);
  }
};

// The innermost region execution at each operation of a thread, from the first to the last.
class NodesInOrder {
 public:
  explicit NodesInOrder(const ThreadRun& thread)
      : changes_(thread.change_at), nodes_(thread.nodes), next_change_(read_change()) {}

  NodeIndex next() {
    if (passed_ == next_change_) {
      node_ = nodes_.next();
      next_change_ = read_change();
    }
    ++passed_;
    return node_;
  }
  std::uint32_t passed() const { return passed_; }  // operations

 private:
  static constexpr std::uint32_t kNever = ~std::uint32_t{0};
  std::uint32_t read_change() { return changes_.at_end() ? kNever : changes_.next(); }

  PackedColumn::Reader changes_, nodes_;
  std::uint32_t next_change_;
  std::uint32_t passed_ = 0;
  NodeIndex node_ = 0;
};

// An operation, as for_each_operation() comes to it.
struct Placed : Operation {
  OperationId id;
  ShapeIndex shape = 0;
  NodeIndex node = 0;  // the innermost region execution around it
};

class ObservedRun {
 public:
  void take(const Event& event);
  void split_loops();  // after the last event: iterations of loops become regions, too (loops.h)

  const Operations& operations() const { return operations_; }
  Operation operation(std::uint32_t thread, std::uint32_t index) const {
    return operations_[operations_.number_of(thread, index)];
  }
  std::uint32_t size(std::uint32_t thread) const { return operations_.count_of(thread); }
  // Calls f(Placed) for all operations, in linear order.
  template <class F>
  void for_each_operation(F&& f) const;

  std::span<const ThreadRun> threads() const { return threads_; }
  const Locations& locations() const { return locations_; }
  const LockStates& lock_states() const { return lock_states_; }
  const CausalClocks& clocks() const { return clocks_; }
  const RegionTree& regions() const { return regions_; }
  Address lock_address(LockIndex lock) const { return lock_addresses_[lock]; }
  std::size_t locks() const { return lock_addresses_.size(); }
  std::uint64_t events() const { return events_; }

  // Calls f(Part) for each piece of memory that the access touches.
  template <class F>
  void for_each_part(const Operation& access, F&& f) const {
    if (access.mask != 0) return f(Part{access.object, access.mask});
    for (const Part& part : parts_of(access)) f(part);
  }
  Address address_of(const Operation& operation) const;
  std::uint64_t size_of(const Operation& access) const;

 private:
  struct Wide {
    std::uint64_t first = 0;  // of parts_
    std::uint64_t count = 0;
    Address address = 0;
    std::uint64_t size = 0;
  };
  ThreadRun& thread_of(ThreadId id);
  void take_edge(const Event& event, ThreadRun& thread);
  void take_operation(const Event& event, ThreadRun& thread);
  void take_access(const Event& event, Operation& operation);
  void take_lock(const Event& event, Operation& operation, std::uint32_t n);
  void feed_clocks(const Event& event, std::uint32_t n);
  std::span<const Part> parts_of(const Operation& access) const {
    const Wide& wide = wides_[access.object];
    return std::span(parts_).subspan(wide.first, wide.count);
  }

  Operations operations_;
  std::vector<ThreadRun> threads_;
  Locations locations_;
  std::vector<Wide> wides_;  // accesses of more than one granule
  std::vector<Part> parts_;
  LockStates lock_states_;
  absl::flat_hash_map<Address, LockIndex> lock_numbers_;
  std::vector<Address> lock_addresses_;
  CausalClocks clocks_;
  RegionTree regions_;
  std::uint64_t events_ = 0;
};

template <class F>
void ObservedRun::for_each_operation(F&& f) const {
  std::vector<NodesInOrder> positions(threads_.begin(), threads_.end());
  operations_.for_each(
      [&](OperationNumber n, ShapeIndex index, const Shape& shape, std::uint32_t object) {
        NodesInOrder& thread = positions[shape.thread];
        const NodeIndex node = thread.next();
        f(Placed{{shape, object}, {n, thread.passed() - 1}, index, node});
      });
}

}  // namespace isosan::predict
