// Windows across the start of a thread: ours, not the paper's.
//
// Model: a fork is a left-mover, so a region that acquires a lock after it has a window. But if it
// also waits for the end of the thread that it started, and that one did more than both-movers
// (quiet_thread.h), the region has no serial order: what the other did comes after the fork and
// before the join. Nobody can expect it to be atomic across the fork, so that the fork cuts it in
// two, as the join does. This shows at the join only: until then, a window from the last fork or
// from before it is held back. Law: it is told if the region ends without that join, or if the
// thread turns out to have been quiet.
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

class HeldBack {
 public:
  bool in_use() const { return fork_.has_value() || !windows_.empty(); }

  void fork(ThreadId child, std::uint64_t ordinal) { fork_ = {child, ordinal}; }
  // The ordinal of the last fork.
  std::optional<std::uint64_t> last_fork() const {
    return fork_ ? std::optional(fork_->ordinal) : std::nullopt;
  }

  // False: there is nothing to wait for, or too much.
  bool hold(const OpenRegion& region, const Action& action) {
    if (!fork_ || region.commit.where.ordinal > fork_->ordinal) return false;
    if (windows_.size() == kMost) return false;
    windows_.push_back({region, action, fork_->child});
    return true;
  }

  // Those that follow call tell(const OpenRegion&, const Action&).
  template <class F>
  void join(ThreadId child, bool was_quiet, F&& tell) {
    if (fork_ && fork_->child == child) fork_.reset();
    let_go([&](const Window& window) { return window.started == child; },
           [&](const OpenRegion& region, const Action& action) {
             if (was_quiet) tell(region, action);
           });
  }
  template <class F>
  void regions_left(const Phases& phases, F&& tell) {
    if (phases.outside()) fork_.reset();
    const auto is_open = [&](const OpenRegion& region) {
      const std::span<const OpenRegion> open = phases.open();
      return std::any_of(open.begin(), open.end(), [&](const OpenRegion& other) {
        return other.entered.ordinal == region.entered.ordinal;
      });
    };
    let_go([&](const Window& window) { return !is_open(window.region); }, tell);
  }
  template <class F>
  void finish(F&& tell) {
    let_go([](const Window&) { return true; }, tell);
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
  static constexpr std::size_t kMost = 64;  // a region that goes on for ever starts many threads

  template <class Chosen, class F>
  void let_go(Chosen&& chosen, F&& tell) {
    std::vector<Window> kept;
    for (Window& window : std::exchange(windows_, {})) {
      if (!chosen(window)) {
        kept.push_back(std::move(window));
      } else {
        tell(window.region, window.action);
      }
    }
    windows_ = std::move(kept);
  }

  std::optional<Fork> fork_;  // the last one in a region that is open, unless it is joined
  std::vector<Window> windows_;
};

}  // namespace isosan::atomizer
