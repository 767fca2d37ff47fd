#include "predict/lock_timeline.h"

#include <algorithm>
#include <iterator>

namespace isosan::predict {
namespace {

std::uint64_t hash_of(std::uint64_t a, std::uint64_t b) {
  std::uint64_t x = (a + 0x9e3779b97f4a7c15ull) * 0xbf58476d1ce4e5b9ull ^ b;
  x = (x ^ x >> 31) * 0x94d049bb133111ebull;
  return x ^ x >> 29;
}

std::uint64_t hash_of(LockIndex lock, LockMode mode) {
  return hash_of(lock, static_cast<std::uint64_t>(mode) + 1);
}

bool any_in(const std::vector<std::uint32_t>& sorted, std::uint32_t from, std::uint32_t to) {
  const auto first = std::lower_bound(sorted.begin(), sorted.end(), from);
  return first != sorted.end() && *first < to;
}

}  // namespace

void LockTimeline::acquire(LockStates& states, std::uint32_t at, LockIndex lock, LockMode mode) {
  if (held_.empty()) empty_until_ = at;
  Acquisitions& before = acquisitions_[lock];
  const std::vector<std::uint32_t>& same =
      mode == LockMode::kExclusive ? before.exclusive : before.all;
  const std::uint32_t last = same.empty() ? kNever : same.back();
  for (Holding& holding : held_) {
    const bool known = last != kNever && last > holding.at;
    if (!known) holding.history += hash_of(lock, mode);
  }
  before.all.push_back(at);
  if (mode == LockMode::kExclusive) before.exclusive.push_back(at);
  held_.push_back({lock, mode, at, 0});
  add_event(states, at, lock, mode, true);
}

void LockTimeline::release(LockStates& states, std::uint32_t at, LockIndex lock) {
  const auto holding =
      std::find_if(held_.rbegin(), held_.rend(), [&](const Holding& h) { return h.lock == lock; });
  if (holding == held_.rend()) return;  // acquired by another thread
  nested_ &= holding == held_.rbegin();
  const LockMode mode = holding->mode;
  held_.erase(std::next(holding).base());
  add_event(states, at, lock, mode, false);
}

void LockTimeline::add_event(LockStates& states, std::uint32_t at, LockIndex lock, LockMode mode,
                             bool acquire) {
  LockEvent event{at, lock, mode, acquire, kNoLocks, at + 1};
  if (!held_.empty()) {
    std::uint64_t hash = 0;
    for (const Holding& h : held_) hash += hash_of(hash_of(h.lock, h.mode), h.history);
    event.after = states.number_of(hash, [&] {
      std::vector<HeldLock> lockset;
      for (const Holding& h : held_) lockset.push_back({h.lock, h.mode});
      return lockset;
    });
    event.last_empty = empty_until_;
  }
  events_.push_back(event);
}

std::size_t LockTimeline::first_event(std::uint32_t n) const {
  return static_cast<std::size_t>(
      std::lower_bound(events_.begin(), events_.end(), n,
                       [](const LockEvent& e, std::uint32_t at) { return e.at < at; }) -
      events_.begin());
}

StateIndex LockTimeline::state(std::uint32_t n) const {
  const std::size_t next = first_event(n);
  return next == 0 ? kNoLocks : events_[next - 1].after;
}

std::uint32_t LockTimeline::last_empty(std::uint32_t n) const {
  const std::size_t next = first_event(n);
  if (next == 0 || events_[next - 1].after == kNoLocks) return n;
  return events_[next - 1].last_empty;
}

std::uint32_t LockTimeline::next_empty(std::uint32_t n) const {
  std::size_t next = first_event(n);
  if (next == 0 || events_[next - 1].after == kNoLocks) return n;
  while (next < events_.size() && events_[next].after != kNoLocks) ++next;
  return next == events_.size() ? kNever : events_[next].at + 1;
}

bool LockTimeline::acquires(LockIndex lock, LockMode mode, std::uint32_t from,
                            std::uint32_t to) const {
  const auto found = acquisitions_.find(lock);
  return found != acquisitions_.end() && any_in(found->second.against(mode), from, to);
}

std::uint32_t LockTimeline::acquisition(LockIndex lock, std::uint32_t n) const {
  const std::vector<std::uint32_t>& all = acquisitions_.at(lock).all;
  return *std::prev(std::lower_bound(all.begin(), all.end(), n));
}

bool compatible(const LockStates& states, const LockTimeline& first, std::uint32_t n,
                const LockTimeline& second, std::uint32_t m) {
  for (const HeldLock& l : states.lockset(first.state(n))) {
    const std::uint32_t l_at = first.acquisition(l.lock, n);
    for (const HeldLock& k : states.lockset(second.state(m))) {
      if (l.lock == k.lock) {
        if (excludes(l.mode, k.mode)) return false;
        continue;
      }
      const std::uint32_t k_at = second.acquisition(k.lock, m);
      const bool k_since_l = first.acquires(k.lock, k.mode, l_at + 1, n);  // k in AH1(l)
      if (k_since_l && second.acquires(l.lock, l.mode, k_at + 1, m)) return false;
    }
  }
  return true;
}

}  // namespace isosan::predict
