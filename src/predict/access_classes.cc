#include "predict/access_classes.h"

#include <algorithm>
#include <utility>

namespace isosan::predict {
namespace {

constexpr OperationNumber kNone = ~OperationNumber{0};

// Keeps at most kMaxInstances, spread evenly: at the limit, every second one is dropped.
template <class Class, class Instance>
void keep(Class& members, Instance instance) {
  if (++members.skipped < members.stride) return;
  members.skipped = 0;
  if (members.instances.size() == kMaxInstances) {
    for (std::size_t i = 0; i < kMaxInstances / 2; ++i) {
      members.instances[i] = members.instances[2 * i];
    }
    members.instances.resize(kMaxInstances / 2);
    members.stride *= 2;
  }
  members.instances.push_back(instance);
}

}  // namespace

void AccessClasses::clear() {
  threads_.clear();
  positions_.clear();
}

void AccessClasses::add(OperationNumber access) {
  const Operation& operation = run_.operations()[access];
  const auto [position, added] = positions_.try_emplace(operation.thread, threads_.size());
  if (added) {
    threads_.push_back({.thread = operation.thread, .last_access = kNone, .last_write = kNone});
  }
  ThreadClasses& thread = threads_[position->second];
  if (thread.last_access != kNone) add_window(thread, thread.last_access, access, true);
  if (writes(operation.kind)) {
    if (thread.last_write != kNone) add_window(thread, thread.last_write, access, false);
    thread.last_write = access;
  }
  thread.last_access = access;
  add_intruder(thread, access);
}

void AccessClasses::add_window(ThreadClasses& thread, OperationNumber e1, OperationNumber e2,
                               bool for_writer) {
  const Operation& first = run_.operations()[e1];
  const Operation& second = run_.operations()[e2];
  const NodeIndex common = run_.regions().common(first.node, second.node);
  if (run_.regions().is_root(common) && !threads_are_regions_) return;
  const LockTimeline& locks = run_.threads()[first.thread].locks;
  const std::size_t next = locks.first_event(first.index + 1);
  Window window{
      .site1 = first.site,
      .site2 = second.site,
      .kind1 = first.kind,
      .kind2 = second.kind,
      .for_writer = for_writer,
      .closeness = closeness(first, second, common),
      .state = next == 0 ? kNoLocks : locks.events()[next - 1].after,
      .locks_change = next < locks.events().size() && locks.events()[next].at < second.index};
  const auto same =
      std::find_if(thread.windows.begin(), thread.windows.end(), [&](const Window& known) {
        return known.site1 == window.site1 && known.site2 == window.site2 &&
               known.kind1 == window.kind1 && known.kind2 == window.kind2 &&
               known.for_writer == window.for_writer && known.closeness == window.closeness &&
               known.state == window.state && known.locks_change == window.locks_change;
      });
  if (same != thread.windows.end()) return keep(*same, WindowInstance{e1, e2});
  if (thread.windows.size() == kMaxClasses) return;
  keep(window, WindowInstance{e1, e2});
  thread.windows.push_back(std::move(window));
}

void AccessClasses::add_intruder(ThreadClasses& thread, OperationNumber f) {
  const Operation& operation = run_.operations()[f];
  Intruder intruder{.site = operation.site,
                    .writes = writes(operation.kind),
                    .state = run_.threads()[operation.thread].locks.state(operation.index)};
  const auto same =
      std::find_if(thread.intruders.begin(), thread.intruders.end(), [&](const Intruder& known) {
        return known.site == intruder.site && known.writes == intruder.writes &&
               known.state == intruder.state;
      });
  if (same != thread.intruders.end()) return keep(*same, f);
  if (thread.intruders.size() == kMaxClasses) return;
  keep(intruder, f);
  thread.intruders.push_back(std::move(intruder));
}

Closeness AccessClasses::closeness(const Operation& e1, const Operation& e2,
                                   NodeIndex common) const {
  const RegionTree& regions = run_.regions();
  if (regions.is_root(common)) return Closeness::kThread;
  if (e1.node == common && e2.node == common) {
    const auto line = [&](SiteId site) {
      return index(site) < tables_.sites.size() ? tables_.sites[index(site)].line : 0;
    };
    const std::pair first{line(e1.site), index(e1.site)}, second{line(e2.site), index(e2.site)};
    return first < second ? Closeness::kSameExecution : Closeness::kLoop;
  }
  return regions.depth(common) > 1 ? Closeness::kCommonRegion : Closeness::kThread;
}

}  // namespace isosan::predict
