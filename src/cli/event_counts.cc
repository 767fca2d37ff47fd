#include "cli/event_counts.h"

#include <fmt/format.h>

#include <algorithm>

namespace isosan {

void EventCounts::count(std::span<const Event> batch) {
  for (const Event& e : batch) count(e);
}

void EventCounts::count(const Event& e) {
  ++events_;
  ++by_kind_[static_cast<std::size_t>(e.kind)];
  if (index(e.thread) >= threads_.size()) threads_.resize(index(e.thread) + 1);
  ThreadState& thread = threads_[index(e.thread)];
  thread.seen = true;

  const bool edge = e.kind == Kind::kBegin || e.kind == Kind::kEnd;
  const bool atomic = edge && e.detail == static_cast<std::uint8_t>(RegionKind::kAtomic);
  if (atomic && e.kind == Kind::kBegin && thread.depth++ == 0) ++transactions_;
  thread.depth > 0 ? ++thread.in_region : ++unary_;
  if (atomic && e.kind == Kind::kEnd && thread.depth > 0 && --thread.depth == 0) {
    end_transaction(thread);
  }
  if (e.kind <= Kind::kAtomicRmw) locations_.insert(e.address);
  if (e.kind == Kind::kAcquire) locks_.insert(e.address);
}

void EventCounts::end_transaction(ThreadState& thread) {
  longest_ = std::max(longest_, thread.in_region);
  thread.in_region = 0;
}

std::string EventCounts::print() const {
  std::string text;
  const auto line = [&](std::string_view name, std::uint64_t value) {
    text += fmt::format("{:<20} {}\n", name, value);
  };
  std::uint64_t longest = longest_;
  for (const ThreadState& thread : threads_) longest = std::max(longest, thread.in_region);
  line("events", events_);
  line("threads", static_cast<std::uint64_t>(
                      std::ranges::count_if(threads_, [](const auto& t) { return t.seen; })));
  line("locations", locations_.size());
  line("locks", locks_.size());
  line("transactions", transactions_);
  line("longest transaction", longest);
  line("unary events", unary_);
  for (std::size_t kind = 0; kind < kKindCount; ++kind) {
    if (by_kind_[kind] != 0) line(kKindNames[kind], by_kind_[kind]);
  }
  return text;
}

}  // namespace isosan
