#include "predict/causal_clocks.h"

#include <algorithm>
#include <iterator>

namespace isosan::predict {

CausalClocks::ThreadClock& CausalClocks::of(std::uint32_t thread) {
  if (thread >= threads_.size()) threads_.resize(thread + std::size_t{1});
  return threads_[thread];
}

// A clock is shared if it covers the other one: after a barrier all threads have the same.
CausalClocks::SharedClock CausalClocks::joined(const SharedClock& a, const SharedClock& b) {
  if (!a || a == b) return b;
  if (!b) return a;
  const auto covers = [](const Clock& big, const Clock& small) {
    for (std::size_t i = 0; i < small.size(); ++i) {
      if (small[i] > (i < big.size() ? big[i] : 0)) return false;
    }
    return true;
  };
  if (covers(*a, *b)) return a;
  if (covers(*b, *a)) return b;
  auto both = std::make_shared<Clock>(*a);
  both->resize(std::max(a->size(), b->size()));
  for (std::size_t i = 0; i < b->size(); ++i) (*both)[i] = std::max((*both)[i], (*b)[i]);
  return both;
}

CausalClocks::SharedClock CausalClocks::with(const SharedClock& clock, std::uint32_t thread,
                                             std::uint32_t count) {
  if (clock && thread < clock->size() && (*clock)[thread] >= count) return clock;
  auto more = clock ? std::make_shared<Clock>(*clock) : std::make_shared<Clock>();
  if (more->size() <= thread) more->resize(thread + std::size_t{1});
  (*more)[thread] = count;
  return more;
}

// From operation `at` on, `thread` demands `clock`.
void CausalClocks::demand_from(std::uint32_t thread, std::uint32_t at, const SharedClock& clock) {
  ThreadClock& t = of(thread);
  SharedClock now = joined(t.now, clock);
  if (now == t.now) return;
  t.now = now;
  if (!t.changes.empty() && t.changes.back().at >= at) {
    t.changes.back().clock = std::move(now);
  } else {
    t.changes.push_back({at, std::move(now)});
  }
}

std::span<const std::uint32_t> CausalClocks::demands(std::uint32_t thread, std::uint32_t n) const {
  if (thread >= threads_.size() || n == 0) return {};
  const std::vector<Change>& changes = threads_[thread].changes;
  const auto next = std::lower_bound(changes.begin(), changes.end(), n,
                                     [](const Change& c, std::uint32_t at) { return c.at < at; });
  if (next == changes.begin()) return {};
  return *std::prev(next)->clock;
}

std::uint32_t CausalClocks::next_change(std::uint32_t thread, std::uint32_t n) const {
  if (thread >= threads_.size()) return kNever;
  const std::vector<Change>& changes = threads_[thread].changes;
  const auto next = std::lower_bound(changes.begin(), changes.end(), n,
                                     [](const Change& c, std::uint32_t at) { return c.at < at; });
  return next == changes.end() ? kNever : next->at;
}

std::uint32_t CausalClocks::last_change(std::uint32_t thread, std::uint32_t n) const {
  if (thread >= threads_.size()) return 0;
  const std::vector<Change>& changes = threads_[thread].changes;
  const auto next = std::lower_bound(changes.begin(), changes.end(), n,
                                     [](const Change& c, std::uint32_t at) { return c.at < at; });
  return next == changes.begin() ? 0 : std::prev(next)->at;
}

void CausalClocks::take(const Event& event, std::uint32_t n) {
  const std::uint32_t thread = index(event.thread);
  const auto other = static_cast<std::uint32_t>(event.address);
  if (event.kind == Kind::kFork) return demand_from(other, 0, after(mark(thread, n + 1)));
  if (event.kind == Kind::kJoin)
    return demand_from(thread, n, after(mark(other, static_cast<std::uint32_t>(event.size))));
  if (event.kind == Kind::kBarrierArrive)
    return publish(barriers_[{event.address, event.size}].joined, thread, n);
  if (event.kind == Kind::kBarrierDepart)
    return demand_from(thread, n, barriers_[{event.address, event.size}].joined);
  if (event.kind == Kind::kWaitBegin) return wait_began(event, n);
  if (event.kind == Kind::kWaitEnd) return wait_ended(event, n);
  if (event.kind == Kind::kNotify) return notified(event, n);
  if (event.kind == Kind::kSemaphorePost)
    return semaphores_[event.address].posts.push_back(mark(thread, n + 1));
  if (event.kind == Kind::kSemaphoreWait) return semaphore_wait(event, n);
  if (event.kind == Kind::kOnceDone || event.kind == Kind::kPublish)
    return publish(published_[event.address], thread, n);
  if (event.kind == Kind::kOnceSeen || event.kind == Kind::kObserve)
    return demand_from(thread, n, published_[event.address]);
}

void CausalClocks::publish(SharedClock& all, std::uint32_t thread, std::uint32_t n) {
  all = joined(all, after(mark(thread, n + 1)));
}

void CausalClocks::wait_began(const Event& event, std::uint32_t n) {
  ThreadClock& t = of(index(event.thread));
  t.condition = event.address;
  t.wait_begin = n;
  t.woken_at = kNever;
  conditions_[event.address].waiters.push_back(index(event.thread));
}

void CausalClocks::acquired(std::uint32_t thread, std::uint32_t n) {
  if (thread >= threads_.size()) return;
  ThreadClock& t = threads_[thread];
  if (t.condition != 0 && t.woken_at == kNever) t.woken_at = n;
}

void CausalClocks::wait_ended(const Event& event, std::uint32_t n) {
  const std::uint32_t thread = index(event.thread);
  Condition& condition = conditions_[event.address];
  std::erase(condition.waiters, thread);
  ThreadClock& t = of(thread);
  const bool waited = t.condition == event.address;
  t.condition = 0;
  if (!waited || event.detail == static_cast<std::uint8_t>(WaitOutcome::kTimedOut)) return;
  const Mark& notify = condition.last_notify;
  if (!condition.notified || notify.thread == thread) return;
  // Only a notify that comes after the begin of this wait can have ended it.
  const SharedClock clock = after(notify);
  const bool saw_wait = thread < clock->size() && (*clock)[thread] > t.wait_begin;
  if (saw_wait) demand_from(thread, std::min(t.woken_at, n), clock);
}

void CausalClocks::notified(const Event& event, std::uint32_t n) {
  const std::uint32_t thread = index(event.thread);
  Condition& condition = conditions_[event.address];
  for (const std::uint32_t waiter : condition.waiters) {
    demand_from(thread, n, after(mark(waiter, of(waiter).wait_begin + 1)));
  }
  condition.last_notify = mark(thread, n + 1);
  condition.notified = true;
}

void CausalClocks::semaphore_wait(const Event& event, std::uint32_t n) {
  Semaphore& semaphore = semaphores_[event.address];
  ++semaphore.waits;
  if (semaphore.waits > semaphore.posts.size() + semaphore.initial) {
    semaphore.initial = semaphore.waits - semaphore.posts.size();
  }
  if (semaphore.waits <= semaphore.initial) return;
  demand_from(index(event.thread), n,
              after(semaphore.posts[semaphore.waits - semaphore.initial - 1]));
}

}  // namespace isosan::predict
