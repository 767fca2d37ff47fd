// Retries against its definition read off the whole trace at once, for every way of cutting the
// trace into batches.
#include <algorithm>

#include "oracle/property.h"
#include "unit/retries/kept_events.h"

namespace isosan::test {
namespace {

bool overlap(const Event& a, const Event& b) {
  const auto first = [](const Event& e) { return e.address / 8; };
  const auto last = [](const Event& e) {
    return (e.address + std::max<std::uint64_t>(e.size, 1) - 1) / 8;
  };
  return first(a) <= last(b) && first(b) <= last(a);
}

bool acts(const Event& e) {
  return e.kind != Kind::kRelease &&
         (writes(e.kind) || e.kind == Kind::kFree || has(e.kind, trait::kSetsW | trait::kJoinsR));
}

// semantics.md, "Retries", rule by rule.
class Definition {
 public:
  explicit Definition(std::vector<Event> events) : events_(std::move(events)) {
    for (Event& e : events_) {
      if (e.kind == Kind::kAtomicRmw && (e.detail & kUnchanged) != 0) {
        e.kind = Kind::kAtomicLoad;
        e.detail &= ~kUnchanged;
      }
    }
    out_.resize(events_.size());
    for (std::size_t i = 0; i < events_.size(); ++i) {
      const bool operation =
          events_[i].kind == Kind::kAtomicLoad || events_[i].kind == Kind::kAtomicRmw;
      if (operation && in_region(i)) follow(i);
    }
    for (std::size_t i = 0; i < events_.size(); ++i) {
      const bool relaxed = events_[i].kind == Kind::kAtomicLoad &&
                           events_[i].detail == static_cast<std::uint8_t>(MemoryOrder::kRelaxed);
      if (relaxed && in_region(i) && nothing_follows(i)) out_[i] = true;
      if (events_[i].kind == Kind::kRelease && (events_[i].detail & kBacksOff) != 0)
        events_[i].address = 0;
    }
    for (std::size_t i = 0; i < events_.size(); ++i) {
      if (!out_[i]) continue;
      events_[i].kind = Kind::kFence;
      events_[i].detail = 0;
      events_[i].address = events_[i].size = 0;
    }
  }
  const std::vector<Event>& events() const { return events_; }

 private:
  static bool is_edge(const Event& e) {
    return (e.kind == Kind::kBegin || e.kind == Kind::kEnd) &&
           static_cast<RegionKind>(e.detail) == RegionKind::kAtomic;
  }
  int depth_at(std::size_t i) const {
    int depth = 0;
    for (std::size_t k = 0; k < i; ++k)
      if (events_[k].thread == events_[i].thread && is_edge(events_[k]))
        depth += events_[k].kind == Kind::kBegin ? 1 : -1;
    return depth;
  }
  bool in_region(std::size_t i) const { return depth_at(i) > 0; }

  bool nothing_follows(std::size_t look) const {
    for (std::size_t i = look + 1; i < events_.size(); ++i) {
      const Event& x = events_[i];
      if (x.thread != events_[look].thread) continue;
      if (is_edge(x) && x.kind == Kind::kEnd && depth_at(i) == 1) return true;
      if (acts(x) || x.kind == Kind::kWaitBegin || x.kind == Kind::kThreadEnd) return false;
    }
    return false;
  }

  void follow(std::size_t later) {
    const Event& e = events_[later];
    bool done = false;
    int locks = 0;
    for (std::size_t i = later; i-- > 0;) {
      const Event& x = events_[i];
      if (x.thread != e.thread) continue;
      if (x.kind == Kind::kWaitBegin || x.kind == Kind::kThreadEnd) return;
      if (is_edge(x) && x.kind == Kind::kBegin && depth_at(i) == 0) return;
      if (x.kind == Kind::kAcquire && x.depth == 0) ++locks;
      if (x.kind == Kind::kRelease && x.depth == 0) --locks;
      if (!out_[i] && x.address == e.address && x.size == e.size) judge(i, later, done, locks);
      done |= acts(x);
    }
  }
  void judge(std::size_t look, std::size_t later, bool done, int locks) {
    const Event &x = events_[look], &e = events_[later];
    const bool steps = e.kind == Kind::kAtomicRmw && (e.detail & kStep) != 0;
    if (x.kind == Kind::kAtomicRmw && (x.detail & kStep) != 0) {
      if (steps) out_[look] = true;
      return;
    }
    if (x.kind != Kind::kAtomicLoad) return;
    const bool round = !done && x.site == e.site && x.context == e.context;
    const bool again = !done && e.kind == Kind::kAtomicLoad && locks > 0;
    if (!round && !again && (e.detail & kCompareExchange) == 0) return;
    out_[look] = true;
    if (!round) return;
    for (std::size_t i = look + 1; i < later; ++i) {
      const Event& read = events_[i];
      if (read.thread != e.thread || !is_access(read.kind) || writes(read.kind)) continue;
      for (std::size_t k = i + 1; k < later; ++k) {
        const Event& write = events_[k];
        if (write.thread != e.thread && writes(write.kind) && is_access(write.kind) &&
            overlap(read, write))
          out_[i] = true;
      }
    }
  }

  std::vector<Event> events_;
  std::vector<bool> out_;
};

// Few sites, so that some operations repeat others; marks by chance.
std::vector<Event> with_few_sites(std::vector<Event> events, std::uint32_t seed) {
  for (Event& e : events) {
    seed = seed * 1'664'525 + 1'013'904'223;
    e.site = SiteId{1 + seed % 2};
    if (e.kind == Kind::kAtomicRmw)
      e.detail |= (seed >> 8) % 3 == 0 ? kUnchanged : (seed >> 8) % 3 == 1 ? kStep : 0;
  }
  return events;
}

TEST(RetriesProperty, AnyBatchesGiveTheDefinition) {
  const RandomTraceOptions options{.max_threads = 3, .max_variables = 2};
  int left_out = 0;
  EXPECT_TRUE(holds_on_random_traces(
      options,
      [&](const Trace& trace) -> std::string {
        const std::vector<Event> events =
            with_few_sites(trace.events, static_cast<std::uint32_t>(trace.events.size()));
        const Definition definition(events);
        for (const std::size_t batch : {1, 2, 7, 1000}) {
          if (through_retries(events, batch) != definition.events())
            return "another answer in batches of " + std::to_string(batch);
        }
        left_out += definition.events() != events;
        return "";
      },
      {5'000, 200'000}));
  EXPECT_GT(left_out, 500) << "hardly any trace tried this";
}

}  // namespace
}  // namespace isosan::test
