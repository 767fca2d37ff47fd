// Windows across the start of a thread are reported late: ours, not the paper's.
//
// Model: a fork is a left-mover, so a region that acquires a lock after it has a window. If the
// region also joins that thread, and the thread did more than both-movers (quiet_thread.h), the
// region has no serial order: the thread's operations lie between the fork and the join. So the
// fork cuts the region in two, as the join does. Only the join decides this. Until then, a window
// that starts at the last fork or before it is deferred. Law: a deferred window is reported if the
// region ends without that join, or if the joined thread was quiet.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "analysis/atomizer/phases.h"
#include "event/ids.h"

namespace isosan::atomizer {

class DeferredWindows {
 public:
  bool in_use() const { return fork_.has_value() || !windows_.empty(); }

  void fork(ThreadId child, std::uint64_t ordinal) { fork_ = {child, ordinal}; }
  // The ordinal of the last fork.
  std::optional<std::uint64_t> last_fork() const {
    return fork_ ? std::optional(fork_->ordinal) : std::nullopt;
  }

  // False: no fork precedes the window, or too many windows are deferred.
  bool defer(const OpenRegion& region, const Action& action) {
    if (!fork_ || region.commit.where.ordinal > fork_->ordinal) return false;
    if (windows_.size() == kMost) return false;
    windows_.push_back({region, action, fork_->child});
    return true;
  }

  // The functions below call report(const OpenRegion&, const Action&).
  template <class F>
  void join(ThreadId child, bool was_quiet, F&& report) {
    if (fork_ && fork_->child == child) fork_.reset();
    take_out([&](const Window& window) { return window.started == child; },
             [&](const OpenRegion& region, const Action& action) {
               if (was_quiet) report(region, action);
             });
  }
  template <class F>
  void regions_left(const Phases& phases, F&& report) {
    if (phases.outside()) fork_.reset();
    const auto is_open = [&](const OpenRegion& region) {
      const std::span<const OpenRegion> open = phases.open();
      return std::any_of(open.begin(), open.end(), [&](const OpenRegion& other) {
        return other.entered.ordinal == region.entered.ordinal;
      });
    };
    take_out([&](const Window& window) { return !is_open(window.region); }, report);
  }
  template <class F>
  void finish(F&& report) {
    take_out([](const Window&) { return true; }, report);
  }

 private:
  struct Fork {
    ThreadId child;
    std::uint64_t ordinal;
  };
  struct Window {
    OpenRegion region;
    Action action;
    ThreadId started;
  };
  static constexpr std::size_t kMost = 64;  // a long region may start many threads

  template <class Chosen, class F>
  void take_out(Chosen&& chosen, F&& report) {
    std::vector<Window> kept;
    for (Window& window : std::exchange(windows_, {})) {
      if (!chosen(window)) {
        kept.push_back(std::move(window));
      } else {
        report(window.region, window.action);
      }
    }
    windows_ = std::move(kept);
  }

  std::optional<Fork> fork_;  // the last one in a region that is open, unless it is joined
  std::vector<Window> windows_;
};

}  // namespace isosan::atomizer
