// The reference's regions: when each goes wrong, and which of that is told.
#pragma once

#include <cstdint>
#include <ranges>
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
    if (mover == Mover::kBoth || thread.regions.empty()) return;
    thread.look.reset();
    if (mover != Mover::kRight) settle(thread);
    for (Region& region : std::views::reverse(thread.regions)) {
      if (mover == Mover::kRight || mover == Mover::kNon) {
        if (region.commit) go_wrong(thread, region, *region.commit, ordinal);
        region.commit.reset();
      } else if (thread.fork && region.commit && *region.commit <= thread.fork->ordinal) {
        region.commit = ordinal;
      }
      if ((mover == Mover::kLeft || mover == Mover::kNon) && !region.commit) {
        region.commit = ordinal;
      }
    }
  }

  void do_to_others(Thread& thread) {
    for (Held& held : thread.held) held.in_vain = false;
  }

  void settle(Thread& thread, Region& region) {
    if (region.looked) go_wrong(thread, region, *region.looked, thread.acquire);
    region.looked.reset();
  }
  void settle(Thread& thread) {
    for (Region& region : std::views::reverse(thread.regions)) settle(thread, region);
  }

  void go_wrong(Thread& thread, Region& region, std::uint64_t commit, std::uint64_t violation) {
    if (!region.judged) return;
    if (options_.innermost && !thread.told.insert({commit, violation}).second) return;
    if (thread.fork && commit <= thread.fork->ordinal) {
      region.held_back.push_back({commit, violation, thread.fork->child});
    } else {
      windows_.insert({region.region, commit, violation});
    }
  }
  void leave_region(Thread& thread) {
    const Region& region = thread.regions.back();
    for (const HeldBack& held : region.held_back) {
      windows_.insert({region.region, held.commit, held.violation});
    }
    thread.regions.pop_back();
    if (thread.regions.empty()) thread.fork.reset();
  }
  void end_fork(Thread& thread, ThreadId child, bool quiet) {
    if (thread.fork && thread.fork->child == child) thread.fork.reset();
    for (Region& region : thread.regions) {
      std::erase_if(region.held_back, [&](const HeldBack& held) {
        if (held.child != child) return false;
        if (quiet) windows_.insert({region.region, held.commit, held.violation});
        return true;
      });
    }
  }

  const Windows& windows() const { return windows_; }

 protected:
  const AtomizerOptions& options_;

 private:
  Windows windows_;
};

}  // namespace isosan::test::reference
