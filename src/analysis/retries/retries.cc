#include "analysis/retries/retries.h"

#include <algorithm>
#include <limits>

#include "absl/container/flat_hash_set.h"

namespace isosan {
namespace {

constexpr std::uint64_t kGranule = 8;

bool is_region_edge(const Event& e) {
  return (e.kind == Kind::kBegin || e.kind == Kind::kEnd) &&
         static_cast<RegionKind>(e.detail) == RegionKind::kAtomic;
}

// The lock that the thread gives up because it did not get another one.
bool backs_off(const Event& e) { return e.kind == Kind::kRelease && (e.detail & kBacksOff) != 0; }

bool changes_nothing(const Event& e) {
  return e.kind == Kind::kAtomicRmw && (e.detail & kUnchanged) != 0;
}

bool is_step(const Event& e) { return e.kind == Kind::kAtomicRmw && (e.detail & kStep) != 0; }

// Does it act on other threads? Locks do not count: a region may take them while it tries again.
bool is_effect(Kind kind) {
  if (kind == Kind::kRelease) return false;
  return writes(kind) || kind == Kind::kFree || has(kind, trait::kSetsW | trait::kJoinsR);
}

void leave_out(Event& e) {
  e.kind = Kind::kFence;
  e.detail = static_cast<std::uint8_t>(MemoryOrder::kRelaxed);
  e.depth = 0;
  e.address = e.size = 0;
}

template <class F>
void for_each_granule(const Event& access, F&& f) {
  const auto visit = [&](Address address, std::uint64_t size) {
    const Address last = (address + std::max<std::uint64_t>(size, 1) - 1) / kGranule;
    for (Address granule = address / kGranule; granule <= last; ++granule) f(granule);
  };
  if (!is_walk(access)) return visit(access.address, access.size);
  const WalkSteps steps = steps_of(access);
  for (std::uint64_t i = 0; i < steps.count; ++i)
    visit(access.address + i * steps.stride, steps.size);
}

}  // namespace

Retries::Decided Retries::take(std::span<const Event> batch,
                               std::span<const Dependence> dependences,
                               std::uint64_t first_ordinal) {
  drop_handed_out();
  std::size_t next = 0;
  if (held_.empty()) {
    while (next < batch.size() && !is_of_interest(batch[next])) ++next;
    if (next == batch.size()) return {batch, dependences, first_ordinal};
    first_ = first_ordinal;
  }
  next += held_.size();
  held_.insert(held_.end(), batch.begin(), batch.end());
  for (Dependence dependence : dependences) {
    dependence.before += first_ordinal;
    dependences_.push_back(dependence);
  }
  for (std::size_t i = next; i < held_.size(); ++i) judge(held_[i], first_ + i);
  const std::uint64_t end = first_ + held_.size();
  if (held_.size() - handed_out_ > kMostHeld) forget_looks_before(end - kMostHeld);
  return hand_out(std::min(oldest_look(), end));
}

Retries::Decided Retries::finish() {
  drop_handed_out();
  return hand_out(first_ + held_.size());
}

// While nothing is held back. Follows the regions; false for events that need not be held.
bool Retries::is_of_interest(const Event& e) {
  if (is_region_edge(e)) {
    follow_region_edge(e);
    return false;
  }
  if (backs_off(e)) return true;
  if (!is_atomic(e.kind)) [[likely]]
    return false;
  if (changes_nothing(e) || points_.of(e.site).is_bookkeeping) return true;
  return e.kind != Kind::kAtomicStore && thread_of(e).depth > 0;
}

void Retries::follow_region_edge(const Event& e) {
  Thread& thread = thread_of(e);
  if (e.kind == Kind::kBegin) {
    ++thread.depth;
  } else if (thread.depth > 0 &&
             --thread.depth == 0) {  // the begin may be missing in a damaged trace
    end_region(thread);
  }
}

void Retries::end_region(Thread& thread) {
  for (const Look& look : thread.looks) {
    if (look.is_relaxed && !look.is_step && look.effects == thread.effects)
      leave_out(at(look.ordinal));
  }
  thread.looks.clear();
}

void Retries::judge(Event& e, std::uint64_t ordinal) {
  if (is_region_edge(e)) return follow_region_edge(e);
  if (backs_off(e)) e.address = 0;  // nobody takes that lock, and the release stays a cut
  if (is_atomic(e.kind) && points_.of(e.site).is_bookkeeping) leave_out(e);
  if (changes_nothing(e)) {
    e.kind = Kind::kAtomicLoad;
    e.detail &= ~kUnchanged;
  }
  Thread& thread = thread_of(e);
  if (thread.depth == 0) return;
  const bool can_repeat = e.kind == Kind::kAtomicLoad || e.kind == Kind::kAtomicRmw;
  if (can_repeat) {
    follow_looks(thread, e, ordinal);
    if (is_step(e) || e.kind == Kind::kAtomicLoad) add_look(thread, e, ordinal);
  }
  if (reads(e.kind)) ++thread.reads;
  if (is_effect(e.kind)) ++thread.effects;
  if (e.kind == Kind::kAcquire && e.depth == 0) ++thread.held_locks;
  if (e.kind == Kind::kRelease && e.depth == 0) --thread.held_locks;
  if (e.kind == Kind::kWaitBegin || e.kind == Kind::kThreadEnd) thread.looks.clear();
}

// The rules of semantics.md.
void Retries::follow_looks(Thread& thread, const Event& e, std::uint64_t ordinal) {
  const bool compares = (e.detail & kCompareExchange) != 0;
  const SiteId point = points_.of(e.site).point;
  for (std::size_t i = thread.looks.size(); i-- > 0;) {
    const Look look = thread.looks[i];
    if (look.address != e.address || look.size != e.size) continue;
    const bool nothing_done = look.effects == thread.effects;
    const bool is_round =
        nothing_done && point != kNoSite && look.point == point && look.context == e.context;
    const bool looks_again =
        nothing_done && e.kind == Kind::kAtomicLoad && thread.held_locks > look.held_locks;
    if (look.is_step ? !is_step(e) : !(compares || is_round || looks_again)) continue;
    if (is_round && !look.is_step) leave_out_round(thread, look, ordinal);
    leave_out(at(look.ordinal));
    std::erase_if(thread.looks, [&](const Look& other) { return other.ordinal == look.ordinal; });
  }
}

// Reads of the round that the next round repeats. What nobody has written since may stand for its
// repetition, which is not logged then.
void Retries::leave_out_round(Thread& thread, const Look& look, std::uint64_t end) {
  if (thread.reads == look.reads + 1) return;
  const ThreadId me = at(look.ordinal).thread;
  absl::flat_hash_set<Address> written;  // by others, after the event
  for (std::uint64_t ordinal = end; --ordinal > look.ordinal;) {
    Event& e = at(ordinal);
    if (!is_access(e.kind)) continue;
    if (e.thread != me) {
      if (writes(e.kind)) for_each_granule(e, [&](Address granule) { written.insert(granule); });
      continue;
    }
    bool outdated = false;
    for_each_granule(e, [&](Address granule) { outdated |= written.contains(granule); });
    if (!outdated || writes(e.kind)) continue;
    leave_out(e);
    std::erase_if(thread.looks, [&](const Look& other) { return other.ordinal == ordinal; });
  }
}

void Retries::add_look(Thread& thread, const Event& e, std::uint64_t ordinal) {
  if (!thread.is_looking) looking_.push_back(index(e.thread));
  thread.is_looking = true;
  if (thread.looks.size() == kMostLooks) thread.looks.erase(thread.looks.begin());
  thread.looks.push_back({.ordinal = ordinal,
                          .address = e.address,
                          .size = e.size,
                          .point = points_.of(e.site).point,
                          .context = e.context,
                          .effects = thread.effects,
                          .reads = thread.reads,
                          .held_locks = thread.held_locks,
                          .is_relaxed = order_in(e.detail) == MemoryOrder::kRelaxed &&
                                        (e.detail & kCompareExchange) == 0,
                          .is_step = is_step(e)});
}

Retries::Thread& Retries::thread_of(const Event& e) {
  if (index(e.thread) >= threads_.size()) threads_.resize(index(e.thread) + 1);
  return threads_[index(e.thread)];
}

std::uint64_t Retries::oldest_look() {
  std::uint64_t oldest = std::numeric_limits<std::uint64_t>::max();
  std::erase_if(looking_, [&](std::uint32_t id) {
    Thread& thread = threads_[id];
    thread.is_looking = !thread.looks.empty();
    if (thread.is_looking) oldest = std::min(oldest, thread.looks.front().ordinal);
    return !thread.is_looking;
  });
  return oldest;
}

void Retries::forget_looks_before(std::uint64_t ordinal) {
  for (const std::uint32_t id : looking_) {
    std::erase_if(threads_[id].looks, [&](const Look& look) { return look.ordinal < ordinal; });
  }
}

void Retries::drop_handed_out() {
  if (handed_out_ < held_.size() && handed_out_ < kMostHeld) return;
  held_.erase(held_.begin(), held_.begin() + static_cast<std::ptrdiff_t>(handed_out_));
  first_ += handed_out_;
  handed_out_ = 0;
}

Retries::Decided Retries::hand_out(std::uint64_t until) {
  const std::uint64_t from = first_ + handed_out_;
  decided_dependences_.clear();
  std::size_t count = 0;
  for (; count < dependences_.size() && dependences_[count].before <= until; ++count) {
    decided_dependences_.push_back(dependences_[count]);
    decided_dependences_.back().before -= from;
  }
  dependences_.erase(dependences_.begin(),
                     dependences_.begin() + static_cast<std::ptrdiff_t>(count));
  handed_out_ = until - first_;
  return {std::span(held_).subspan(from - first_, until - from), decided_dependences_, from};
}

}  // namespace isosan
