// What the reference keeps of bytes, locks and threads: plain sets where atomizer has interned
// ones.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "analysis/atomizer/thread_order.h"
#include "event/event.h"
#include "event/ids.h"

namespace isosan::test::reference {

using Locks = std::set<int>;              // identities, not addresses: memory can be reused
using Candidates = std::optional<Locks>;  // nullopt: all locks

inline Candidates narrowed(const Candidates& candidates, const Locks& held) {
  if (!candidates) return held;
  Locks common;
  for (const int lock : *candidates) {
    if (held.contains(lock)) common.insert(lock);
  }
  return common;
}

using atomizer::ThreadOrder;

enum class State { kFresh, kLocal, kLocal2, kOwnAgain, kReadShared, kShared };
struct Byte {
  State state = State::kFresh;
  ThreadId owner{};
  bool owner_wrote = false;
  Candidates access, write;
  ThreadOrder::Time last_use = 0, last_write = 0;  // by anybody; by the owner
  std::uint32_t users = 0;                         // slots, since it was taken over by an order
};
struct LockState {
  int identity = 0;
  State state = State::kFresh;
  ThreadId owner{};
  Candidates protecting;  // from the second owner on
  Candidates always_held;
  ThreadOrder::Uses uses{};
};
struct Held {
  Address address;
  int identity;
  bool exclusive;
  int depth;
  bool in_vain = true;  // since it was acquired nothing was done to others
};
struct Fork {
  ThreadId child;
  std::uint64_t ordinal;
};
struct HeldBack {
  std::uint64_t commit, violation;
  ThreadId child;  // told unless it is joined in the region, and not quiet
};
// An access of what only its thread has used so far, without a lock (late_data.h).
struct OwnUse {
  enum { kPending, kContended, kPast } state = kPending;
  ThreadId thread;
  Address address;
  std::uint64_t size;
  bool write;
  ThreadOrder::Uses made;
  bool overlaps(const Event& e) const {
    return address < e.address + e.size && e.address < address + size;
  }
};
struct Action {
  std::uint64_t ordinal = 0;
  int own_lock = 0;  // the identity of a lock that nobody else has used so far, if it is one
  std::shared_ptr<OwnUse> own_use = {};
};
struct Region {
  RegionId region;
  std::optional<Action> commit;  // none: pre-commit
  bool judged = true;
  std::optional<Action> looked = {};  // there; then it acquired a lock, which is not settled
  std::vector<HeldBack> held_back = {};
};
struct Look {
  Address address;
  std::uint64_t size;
  SiteId round = kNoSite;  // of an atomic operation: its place
  bool operator==(const Look&) const = default;
  bool is_of(const Event& e) const { return address == e.address && size == e.size; }
};
// The open regions of a thread, in one of three views: with operations on own locks as both-movers,
// or as the right- and left-movers that they are once another thread uses the lock; or that, and
// accesses of own data as the non-movers that they are once another thread uses them.
struct View {
  bool own_locks_count = false;
  bool own_data_counts = false;
  std::vector<Region> regions = {};
  std::optional<Look> look = {};  // its last action that was no both-mover
  Look unsettled{};               // of its regions with `looked`
  Action acquire{};               // after it
  std::set<std::pair<std::uint64_t, std::uint64_t>> told = {};  // commit and violation
};
struct Thread {
  std::vector<Held> held;
  View view, late_view{.own_locks_count = true};
  View data_view{.own_locks_count = true, .own_data_counts = true};
  std::array<View*, 3> views() { return {&view, &late_view, &data_view}; }
  bool quiet = true;
  std::optional<ThreadId> parent;
  int children = 0;          // not joined
  std::optional<Fork> fork;  // the last one in its regions, unless it is joined
  ThreadId id{};
};
struct LateWindow {
  RegionId region;
  Action commit, violation;
  ThreadId thread;
  ThreadOrder::Uses made;
};
enum class Mover { kBoth, kRight, kLeft, kNon };

}  // namespace isosan::test::reference
