#include "predict/observed_run.h"

#include <bit>
#include <utility>

#include "predict/loops.h"

namespace isosan::predict {

ThreadRun& ObservedRun::thread_of(ThreadId id) {
  if (index(id) >= threads_.size()) threads_.resize(index(id) + std::size_t{1});
  ThreadRun& thread = threads_[index(id)];
  if (!thread.born) {
    thread.born = true;
    thread.root = thread.node = regions_.new_root();
  }
  return thread;
}

void ObservedRun::take(const Event& event) {
  ++events_;
  ThreadRun& thread = thread_of(event.thread);
  if (is_operation(event.kind)) return take_operation(event, thread);
  if (event.kind == Kind::kBegin || event.kind == Kind::kEnd) return take_edge(event, thread);
  if (event.kind == Kind::kAllocate || event.kind == Kind::kFree) {
    return locations_.renew(event.address, event.size);
  }
  feed_clocks(event, size(index(event.thread)));
}

void ObservedRun::split_loops() {
  std::vector<NodeIndex> nodes(operations_.size());
  RegionTree split = with_loop_iterations(*this, nodes);
  for (ThreadRun& thread : threads_) {
    thread.change_at = {};
    thread.nodes = {};
  }
  std::vector<std::uint32_t> executed(threads_.size());
  for (OperationNumber n = 0; n < nodes.size(); ++n) {
    const std::uint32_t thread = operations_[n].thread;
    threads_[thread].set_node(executed[thread]++, nodes[n]);
  }
  regions_ = std::move(split);
}

void ObservedRun::take_edge(const Event& event, ThreadRun& thread) {
  if (event.detail != static_cast<std::uint8_t>(RegionKind::kAtomic)) return;
  if (event.kind == Kind::kBegin) {
    thread.node = regions_.open(thread.node, static_cast<RegionId>(event.size));
  } else if (!regions_.is_root(thread.node)) {
    thread.node = regions_.parent(thread.node);
  }
}

void ObservedRun::take_operation(const Event& event, ThreadRun& thread) {
  Operation operation{{.thread = index(event.thread),
                       .site = event.site,
                       .context = event.context,
                       .kind = event.kind}};
  const std::uint32_t n = size(operation.thread);
  thread.set_node(n, thread.node);
  if (is_access(event.kind)) {
    take_access(event, operation);
  } else if (event.kind == Kind::kAcquire || event.kind == Kind::kRelease) {
    take_lock(event, operation, n);
  } else {
    feed_clocks(event, n);
  }
  operations_.push_back(operation);
}

void ObservedRun::take_access(const Event& event, Operation& operation) {
  const bool one_granule =
      event.size - 1 < Locations::kGranule - event.address % Locations::kGranule;
  if (!one_granule) wides_.push_back({parts_.size(), 0, event.address, event.size});
  locations_.touch(operation.thread, event.address, event.size, writes(event.kind), [&](Part part) {
    if (one_granule) {
      operation.object = part.slot;
      operation.mask = part.mask;
    } else {
      parts_.push_back(part);
      ++wides_.back().count;
    }
  });
  if (!one_granule) operation.object = static_cast<std::uint32_t>(wides_.size() - 1);
}

// Re-entrant operations count as operations, but do not change locksets (Penelope, section 5).
void ObservedRun::take_lock(const Event& event, Operation& operation, std::uint32_t n) {
  const auto [found, added] =
      lock_numbers_.try_emplace(event.address, static_cast<LockIndex>(lock_addresses_.size()));
  if (added) lock_addresses_.push_back(event.address);
  operation.object = found->second;
  if (event.depth > 0) return;
  LockTimeline& locks = threads_[operation.thread].locks;
  if (event.kind == Kind::kAcquire) {
    locks.acquire(lock_states_, n, found->second, mode_in(event.detail));
    clocks_.acquired(operation.thread, n);
  } else {
    locks.release(lock_states_, n, found->second);
  }
}

void ObservedRun::feed_clocks(const Event& event, std::uint32_t n) {
  if (event.kind != Kind::kJoin) return clocks_.take(event, n);
  Event join = event;
  const auto other = static_cast<std::uint32_t>(event.address);
  join.size = size(other);
  clocks_.take(join, n);
}

Address ObservedRun::address_of(const Operation& operation) const {
  if (!is_access(operation.kind)) {
    const bool lock = operation.kind == Kind::kAcquire || operation.kind == Kind::kRelease;
    return lock ? lock_addresses_[operation.object] : 0;
  }
  if (operation.mask == 0) return wides_[operation.object].address;
  return locations_.address_of(operation.object) +
         static_cast<std::uint64_t>(std::countr_zero(operation.mask));
}

std::uint64_t ObservedRun::size_of(const Operation& access) const {
  if (!is_access(access.kind)) return 0;
  if (access.mask == 0) return wides_[access.object].size;
  return static_cast<std::uint64_t>(std::popcount(access.mask));
}

}  // namespace isosan::predict
