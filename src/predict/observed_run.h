// The observed run, kept for prediction: every operation in linear order, and what each thread's
// locks, clocks and regions were at any point of it.
//
// Model: an operation has a *number* (its place in the linear order of operations) and an *index*
// (its place in its thread, event/schedule.h). "Thread t after n" is t when it has executed its
// first n operations. An operation takes 28 bytes, and 4 more to map its index to its number.
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
#include "predict/region_tree.h"

namespace isosan::predict {

using OperationNumber = std::uint32_t;

struct Operation {
  std::uint32_t thread = 0;
  std::uint32_t index = 0;
  SiteId site{};
  ContextId context{};
  NodeIndex node = 0;        // the innermost region execution around it
  std::uint32_t object = 0;  // an access: its slot, or its place in the wide accesses; a lock
                             // operation: its lock
  Kind kind{};
  std::uint8_t mask = 0;  // an access: bytes of the slot; 0: a wide access
};
static_assert(sizeof(Operation) == 28);

struct ThreadRun {
  std::vector<OperationNumber> operations;  // by index
  LockTimeline locks;
  NodeIndex root = 0;
  NodeIndex node = 0;  // while the run is read
  bool born = false;

  std::uint32_t size() const { return static_cast<std::uint32_t>(operations.size()); }
};

class ObservedRun {
 public:
  void take(const Event& event);
  void split_loops();  // after the last event: iterations of loops become regions, too (loops.h)

  std::span<const Operation> operations() const { return operations_; }
  const Operation& operation(std::uint32_t thread, std::uint32_t index) const {
    return operations_[threads_[thread].operations[index]];
  }
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

  // Operations of `thread` among the first `number` operations of the run.
  std::uint32_t executed(std::uint32_t thread, OperationNumber number) const;

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
  void take_lock(const Event& event, Operation& operation, ThreadRun& thread);
  void feed_clocks(const Event& event, std::uint32_t n);
  std::span<const Part> parts_of(const Operation& access) const {
    const Wide& wide = wides_[access.object];
    return std::span(parts_).subspan(wide.first, wide.count);
  }

  std::vector<Operation> operations_;
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

}  // namespace isosan::predict
