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

// In ascending numbers: the place of the first that is at least `from`.
std::size_t first_from(const PackedColumn& sorted, std::uint32_t from) {
  return partition_index(sorted.size(), [&](std::size_t i) { return sorted[i] < from; });
}

bool any_in(const PackedColumn& sorted, std::uint32_t from, std::uint32_t to) {
  const std::size_t first = first_from(sorted, from);
  return first != sorted.size() && sorted[first] < to;
}

}  // namespace

void LockTimeline::acquire(LockStates& states, std::uint32_t at, LockIndex lock, LockMode mode) {
  if (held_.empty()) empty_until_ = at;
  Acquisitions& before = acquisitions_[lock];
  const PackedColumn& same = mode == LockMode::kExclusive ? before.exclusive : before.all;
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
  StateIndex after = kNoLocks;
  if (!held_.empty()) {
    std::uint64_t hash = 0;
    for (const Holding& h : held_) hash += hash_of(hash_of(h.lock, h.mode), h.history);
    after = states.number_of(hash, [&] {
      std::vector<HeldLock> lockset;
      for (const Holding& h : held_) lockset.push_back({h.lock, h.mode});
      return lockset;
    });
  }
  at_.push_back(at);
  lock_.push_back(lock);
  how_.push_back(static_cast<std::uint32_t>(mode) << 1 | (acquire ? 1 : 0));
  after_.push_back(after);
  last_empty_.push_back(held_.empty() ? at + 1 : empty_until_);
}

std::size_t LockTimeline::first_event(std::uint32_t n) const { return first_from(at_, n); }

StateIndex LockTimeline::state(std::uint32_t n) const { return state_before(first_event(n)); }

std::uint32_t LockTimeline::last_empty(std::uint32_t n) const {
  const std::size_t next = first_event(n);
  return state_before(next) == kNoLocks ? n : last_empty_[next - 1];
}

std::uint32_t LockTimeline::next_empty(std::uint32_t n) const {
  std::size_t next = first_event(n);
  if (state_before(next) == kNoLocks) return n;
  while (next < event_count() && after_[next] != kNoLocks) ++next;
  return next == event_count() ? kNever : at_[next] + 1;
}

bool LockTimeline::acquires(LockIndex lock, LockMode mode, std::uint32_t from,
                            std::uint32_t to) const {
  const auto found = acquisitions_.find(lock);
  return found != acquisitions_.end() && any_in(found->second.against(mode), from, to);
}

std::uint32_t LockTimeline::acquisition(LockIndex lock, std::uint32_t n) const {
  const PackedColumn& all = acquisitions_.at(lock).all;
  return all[first_from(all, n) - 1];
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
