#include "predict/access_classes.h"

#include <algorithm>
#include <utility>

#include "base/check.h"

namespace isosan::predict {
namespace {

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

ThreadClasses& AccessClasses::thread_of(const Touch& access) {
  const std::uint32_t thread = shape_of(access).thread;
  const auto [position, added] = positions_.try_emplace(thread, threads_.size());
  if (added) threads_.push_back({.thread = thread});
  return threads_[position->second];
}

void AccessClasses::add(const Touch& access) {
  ThreadClasses& thread = thread_of(access);
  std::optional<Touch>&last_access = thread.last_access[0], &last_write = thread.last_write[0];
  if (last_access) add_window(thread, *last_access, access, true);
  if (is_write(access)) {
    if (last_write) add_window(thread, *last_write, access, false);
    last_write = access;
  }
  last_access = access;
  add_intruder(thread, access);
}

void AccessClasses::add_of_pair(const Touch& access, bool of_first, bool of_second) {
  ThreadClasses& thread = thread_of(access);
  if (of_first && of_second) {
    add_intruder(thread, access);
  } else {
    add_behind(thread, of_first ? 1 : 0, access);
  }
  for (const std::size_t i : {std::size_t{0}, std::size_t{1}}) {
    if (!(i == 0 ? of_first : of_second)) continue;
    thread.last_access[i] = access;
    if (is_write(access)) thread.last_write[i] = access;
  }
}

// The access of one location, behind the last one of the other.
void AccessClasses::add_behind(ThreadClasses& thread, std::size_t other, const Touch& access) {
  const std::optional<Touch>&before = thread.last_access[other], &write = thread.last_write[other];
  if (before) {
    add_window(thread, *before, access, true);
    const bool both_read = !is_write(access) && !is_write(*before);
    if (both_read && in_one_region(*before, access)) add_intruder(thread, *before);
  }
  if (write && is_write(access)) {
    add_window(thread, *write, access, false);
    if (in_one_region(*write, access)) add_intruder(thread, *write);
  }
}

bool AccessClasses::in_one_region(const Touch& a, const Touch& b) const {
  return threads_are_regions_ || !run_.regions().is_root(run_.regions().common(a.node, b.node));
}

void AccessClasses::add_window(ThreadClasses& thread, const Touch& e1, const Touch& e2,
                               bool for_writer) {
  const Shape &first = shape_of(e1), &second = shape_of(e2);
  const NodeIndex common = run_.regions().common(e1.node, e2.node);
  if (run_.regions().is_root(common) && !threads_are_regions_) return;
  const Closeness closeness = closeness_of(e1, e2, common);
  const bool locks_change = e1.lock_events != e2.lock_events;
  const WindowInstance instance{e1.id, e2.id, common};
  const auto same = std::ranges::find_if(thread.windows, [&](const Window& known) {
    return known.site1 == first.site && known.site2 == second.site && known.kind1 == first.kind &&
           known.kind2 == second.kind && known.for_writer == for_writer &&
           known.closeness == closeness && known.state == e1.state &&
           known.locks_change == locks_change;
  });
  if (same != thread.windows.end()) return keep(*same, instance);
  if (thread.windows.size() == kMaxClasses) return;
  thread.windows.push_back({.site1 = first.site,
                            .site2 = second.site,
                            .kind1 = first.kind,
                            .kind2 = second.kind,
                            .for_writer = for_writer,
                            .closeness = closeness,
                            .state = e1.state,
                            .locks_change = locks_change});
  keep(thread.windows.back(), instance);
}

void AccessClasses::add_intruder(ThreadClasses& thread, const Touch& f) {
  const Intruder one{.site = shape_of(f).site, .writes = is_write(f), .state = f.state};
  ISOSAN_CHECK(one.state < 1u << 31);  // there is room for it in the key
  const std::uint64_t key =
      std::uint64_t{one.state} << 33 | std::uint64_t{index(one.site)} << 1 | (one.writes ? 1 : 0);
  const auto same = std::ranges::find(thread.intruder_keys, key);
  if (same != thread.intruder_keys.end()) {
    return keep(thread.intruders[static_cast<std::size_t>(same - thread.intruder_keys.begin())],
                IntruderInstance{f.id, f.node});
  }
  if (thread.intruders.size() == kMaxClasses) return;
  thread.intruder_keys.push_back(key);
  thread.intruders.push_back(one);
  keep(thread.intruders.back(), IntruderInstance{f.id, f.node});
}

Closeness AccessClasses::closeness_of(const Touch& e1, const Touch& e2, NodeIndex common) const {
  const RegionTree& regions = run_.regions();
  if (regions.is_root(common)) return Closeness::kThread;
  if (e1.node == common && e2.node == common) {
    const auto line = [&](SiteId site) {
      return index(site) < tables_.sites.size() ? tables_.sites[index(site)].line : 0;
    };
    const SiteId site1 = shape_of(e1).site, site2 = shape_of(e2).site;
    const std::pair first{line(site1), index(site1)}, second{line(site2), index(site2)};
    return first < second ? Closeness::kSameExecution : Closeness::kLoop;
  }
  return regions.depth(common) > 1 ? Closeness::kCommonRegion : Closeness::kThread;
}

}  // namespace isosan::predict
