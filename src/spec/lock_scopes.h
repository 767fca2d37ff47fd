// Lock scopes: what the paper on Atomizer calls a synchronized block, for C and C++.
//
// Model: a scope reaches from the outermost acquire of a lock, in whatever mode, to the release of
// it, guards included. It is a region of the function that takes the lock: one for each place of an
// acquire. A wait for a condition gives the lock up, so it ends the scope and begins another.
// Law: the open scopes of a thread nest. Where a lock is given up before one that was taken later
// (hand over hand), both scopes end there.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "event/event.h"

namespace isosan {

struct LockScope {
  Address lock = 0;
  RegionId region = kNoRegion;
  std::size_t calls = 0;  // that were open when it began
};

// Of one thread, outermost first.
class OpenScopes {
 public:
  void begin(const LockScope& scope) { open_.push_back(scope); }
  bool empty() const { return open_.empty(); }

  // Ends the scope of this lock, and those inside it; end(region), innermost first.
  template <class F>
  void release(Address lock, F&& end) {
    std::size_t outer = open_.size();
    while (outer > 0 && open_[outer - 1].lock != lock) --outer;
    if (outer > 0) end_to(outer - 1, end);
  }
  // Ends the scopes that began when more than so many calls were open.
  template <class F>
  void leave_call(std::size_t calls, F&& end) {
    std::size_t outer = open_.size();
    while (outer > 0 && open_[outer - 1].calls > calls) --outer;
    end_to(outer, end);
  }
  template <class F>
  void leave_all(F&& end) {
    end_to(0, end);
  }

 private:
  template <class F>
  void end_to(std::size_t outer, F& end) {
    for (; open_.size() > outer; open_.pop_back()) end(open_.back().region);
  }

  std::vector<LockScope> open_;
};

// The region of each place, by function and site of the acquire.
using ScopeRegions = absl::flat_hash_map<std::pair<FunctionId, SiteId>, RegionId>;

}  // namespace isosan
