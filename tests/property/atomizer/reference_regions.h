// The reference's regions: when each goes wrong, and which of that is reported.
#pragma once

#include <cstdint>
#include <ranges>
#include <utility>
#include <vector>

#include "analysis/atomizer/options.h"
#include "property/atomizer/reference.h"
#include "property/atomizer/reference_state.h"

namespace isosan::test::reference {

class Regions {
 public:
  explicit Regions(const AtomizerOptions& options) : options_(options) {}

  void step(Thread& thread, Mover mover, std::uint64_t ordinal, bool is_fork = false) {
    if (mover == Mover::kLeft || mover == Mover::kNon) do_to_others(thread);
    if (mover != Mover::kBoth && !is_fork) thread.quiet = false;
    if (mover == Mover::kBoth) return;
    for (View* view : thread.views()) step(thread, *view, mover, {ordinal});
  }
  // A both-mover that would be none if the lock were shared.
  void step_own_lock(Thread& thread, Mover mover, std::uint64_t ordinal, int lock) {
    step(thread, thread.late_view, mover, {ordinal, lock});
    step(thread, thread.data_view, mover, {ordinal, lock});
  }
  // The same of data.
  void step_own_use(Thread& thread, Action use) {
    step(thread, thread.data_view, Mover::kNon, std::move(use));
  }

  void do_to_others(Thread& thread) {
    for (Held& held : thread.held) held.in_vain = false;
  }

  void settle(Thread& thread, View& view, Region& region) {
    if (region.looked) go_wrong(thread, view, region, *region.looked, view.acquire);
    region.looked.reset();
  }
  void settle(Thread& thread, View& view) {
    for (Region& region : std::views::reverse(view.regions)) settle(thread, view, region);
  }

  void leave_region(Thread& thread) {
    const Region& region = thread.view.regions.back();
    for (const HeldBack& held : region.held_back) {
      windows_.insert({region.region, held.commit, held.violation});
    }
    for (View* view : thread.views()) view->regions.pop_back();
    if (thread.view.regions.empty()) thread.fork.reset();
  }
  void end_fork(Thread& thread, ThreadId child, bool quiet) {
    if (thread.fork && thread.fork->child == child) thread.fork.reset();
    for (Region& region : thread.view.regions) {
      std::erase_if(region.held_back, [&](const HeldBack& held) {
        if (held.child != child) return false;
        if (quiet) windows_.insert({region.region, held.commit, held.violation});
        return true;
      });
    }
  }

  const Windows& windows() const { return windows_; }

 protected:
  void report(const LateWindow& window) {
    windows_.insert({window.region, window.commit.ordinal, window.violation.ordinal});
  }
  virtual void add_late_window(LateWindow window) = 0;

  const AtomizerOptions& options_;

 private:
  void step(Thread& thread, View& view, Mover mover, Action action) {
    if (view.regions.empty()) return;
    view.look.reset();
    if (mover != Mover::kRight) settle(thread, view);
    for (Region& region : std::views::reverse(view.regions)) {
      if (mover == Mover::kRight || mover == Mover::kNon) {
        if (region.commit) go_wrong(thread, view, region, *region.commit, action);
        region.commit.reset();
      } else if (!view.own_locks_count && thread.fork && region.commit &&
                 region.commit->ordinal <= thread.fork->ordinal) {
        region.commit = action;
      }
      if ((mover == Mover::kLeft || mover == Mover::kNon) && !region.commit) {
        region.commit = action;
      }
    }
  }

  void go_wrong(Thread& thread, View& view, Region& region, Action commit, Action violation) {
    if (!region.judged) return;
    const auto counts_here = [&](const Action& end) {
      return view.own_data_counts ? end.own_use != nullptr : end.own_lock != 0;
    };
    if (view.own_locks_count && !counts_here(commit) && !counts_here(violation)) return;
    if (options_.innermost && !view.told.insert({commit.ordinal, violation.ordinal}).second) return;
    const bool across_fork = thread.fork && commit.ordinal <= thread.fork->ordinal;
    if (view.own_locks_count) {
      if (!across_fork) add_late_window({region.region, commit, violation, thread.id, {}});
    } else if (across_fork) {
      region.held_back.push_back({commit.ordinal, violation.ordinal, thread.fork->child});
    } else {
      windows_.insert({region.region, commit.ordinal, violation.ordinal});
    }
  }

  Windows windows_;
};

}  // namespace isosan::test::reference
