// Windows at data that only one thread has used so far are reported late: ours, not the paper's.
//
// Model: an access of what is a thread's own (thread-local, thread-local (2), own again) is a
// both-mover. But another thread could have run beside it, and may use the same bytes later in this
// run, when the region is over, or still open and past that access. So regions are judged a third
// time (LateView), with operations on own locks as in late_windows.h, and with accesses of own data
// as non-movers, as long as no lock is held there. Such an access is *pending*. When another thread
// uses the bytes, it becomes *past* if that thread sees it (ThreadOrder::sees), else *contended* if
// one of the two writes. A window that has such an access is reported once all of them are
// contended, and dropped once one is past.
//
// Laws: an access under a lock is taken for one that the lock protects (a data race under the wrong
// lock is fasttrack's). At most kMost windows are kept, and of one pair of places in one region
// kMostOfOne. Memory that is freed takes its windows along.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/container/btree_set.h"
#include "absl/container/flat_hash_map.h"
#include "analysis/atomizer/late_windows.h"
#include "event/ids.h"

namespace isosan::atomizer {

class LateData {
 public:
  static constexpr std::uint64_t kWidest = 8;  // bytes of an access that can be pending

  // What counts as the same window: region, and the places of both ends.
  using Key = std::tuple<RegionId, std::uint64_t, std::uint64_t>;
  struct Kept {
    LateWindows::Window window;
    Key key;
  };

  bool any() const { return !windows_.empty(); }

  // Until another thread uses the bytes of one of its pending accesses.
  void keep(Kept kept) {
    std::size_t& same = of_one_[kept.key];
    if (windows_.size() == kMost || same == kMostOfOne) return;
    ++same;
    for_each_pending(kept.window, [&](const Action& end) {
      waiting_.insert({end.address, next_});
    });
    windows_.emplace(next_++, std::move(kept));
  }

  // Those with a pending access of these bytes. They are no longer kept.
  std::vector<Kept> take(Address address, std::uint64_t size) {
    const auto first = waiting_.lower_bound({address - std::min(address, kWidest - 1), 0});
    const auto last = waiting_.lower_bound({address + size, 0});
    const std::vector<std::pair<Address, std::uint64_t>> near(first, last);
    std::vector<Kept> taken;
    for (const auto& [at, id] : near) {
      const auto found = windows_.find(id);
      if (found == windows_.end() || !waits_for(found->second.window, address, size)) continue;
      taken.push_back(std::move(found->second));
      windows_.erase(found);
      const Kept& kept = taken.back();
      for_each_pending(kept.window, [&](const Action& end) { waiting_.erase({end.address, id}); });
      const auto same = of_one_.find(kept.key);
      if (--same->second == 0) of_one_.erase(same);
    }
    return taken;
  }

  static bool overlap(const Action& access, Address address, std::uint64_t size) {
    return access.address < address + size && address < access.address + access.size;
  }

 private:
  static constexpr std::size_t kMost = 4096, kMostOfOne = 64;

  template <class F>
  static void for_each_pending(const LateWindows::Window& window, F&& f) {
    for (const Action* end : {&window.region.commit, &window.action})
      if (end->own_data == OwnData::kPending) f(*end);
  }
  static bool waits_for(const LateWindows::Window& window, Address address, std::uint64_t size) {
    bool waits = false;
    for_each_pending(window, [&](const Action& end) { waits |= overlap(end, address, size); });
    return waits;
  }

  absl::flat_hash_map<std::uint64_t, Kept> windows_;  // by number
  // Where they wait: address of a pending access, number of the window.
  absl::btree_set<std::pair<Address, std::uint64_t>> waiting_;
  absl::flat_hash_map<Key, std::size_t> of_one_;
  std::uint64_t next_ = 0;
};

}  // namespace isosan::atomizer
