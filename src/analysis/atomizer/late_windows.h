// Windows at locks that only one thread has used so far are reported late: ours, not the paper's.
//
// Model: operations on a lock that is one thread's own are both-movers. But a region that ran once,
// before anybody else used the lock, has its window all the same if another thread could have run
// beside it. So such regions are judged a second time, with the operations on own locks as right-
// and left-movers (LateView). A window found in this way only is kept until another thread uses
// the lock. It is reported if that thread does not see the window as past (ThreadOrder::sees) and
// no other lock protects this one; else it is dropped.
//
// Laws: a window where both operations count anyhow is not kept: the first judgement has it, or an
// earlier one that ends there. At most kMost windows are kept. Not seen: a window from one shared
// lock to itself with an own lock in between that nobody else ever uses.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "analysis/atomizer/phases.h"
#include "analysis/atomizer/thread_order.h"

namespace isosan::atomizer {

class LateWindows {
 public:
  struct Window {
    OpenRegion region;
    Action action;
    ThreadOrder::Uses made;  // when, and by which thread's slot
  };

  bool any() const { return count_ > 0; }

  void keep(LockIndex until_used, Window window) {
    if (count_ == kMost) return;
    ++count_;
    windows_[until_used].push_back(std::move(window));
  }

  // Those kept for this lock. They are no longer kept.
  std::vector<Window> take(LockIndex lock) {
    const auto found = windows_.find(lock);
    if (found == windows_.end()) return {};
    std::vector<Window> taken = std::move(found->second);
    windows_.erase(found);
    count_ -= taken.size();
    return taken;
  }

 private:
  static constexpr std::size_t kMost = 4096;

  absl::flat_hash_map<LockIndex, std::vector<Window>> windows_;
  std::size_t count_ = 0;
};

// The open regions of one thread as they would be if what is its own were shared: its locks, or its
// locks and its data (late_data.h). Until the first use of such a thing in an outermost region they
// are the same as without this view.
class LateView {
 public:
  bool in_use() const { return in_use_; }
  bool awaits_look() const { return in_use_ && phases_.awaits_look(); }
  Phases& start(const Phases& phases) {
    if (!in_use_) phases_ = phases;
    in_use_ = true;
    return phases_;
  }
  Phases& phases() { return phases_; }
  void stop() { in_use_ = false; }

  std::uint64_t last_commit = 0, last_violation = 0;  // ordinals of its last window

 private:
  bool in_use_ = false;
  Phases phases_;
};

}  // namespace isosan::atomizer
