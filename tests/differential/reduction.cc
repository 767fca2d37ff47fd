#include "differential/reduction.h"

#include <algorithm>
#include <map>
#include <random>

#include "analysis/atomizer/atomizer.h"
#include "event/finding_sink.h"
#include "oracle/serializability_oracle.h"

namespace isosan::test {
namespace {

bool warns(const std::vector<Event>& events) {
  FindingSink sink;
  Atomizer atomizer(sink, {});
  feed(atomizer, events, 0);
  atomizer.finish();
  return !sink.findings().empty();
}

// Random orders that keep each thread's own order, and that of events of which one depends on the
// other.
class Orders {
 public:
  Orders(const std::vector<Event>& events, std::uint64_t seed) : events_(events), random_(seed) {
    const SerializabilityOracle oracle(events, /*sync_edges=*/true);
    for (std::size_t f = 0; f < events.size(); ++f) {
      before_.emplace_back();
      for (std::size_t e = 0; e < f; ++e) {
        if (events[e].thread == events[f].thread || oracle.depends(e, f, EdgeReason::kData) ||
            oracle.depends(e, f, EdgeReason::kSynchronization)) {
          before_[f].push_back(e);
        }
      }
      if (std::ranges::find(threads_, events[f].thread) == threads_.end())
        threads_.push_back(events[f].thread);
    }
  }

  // The first thread that can go on does. Which one is the first changes with each order, and
  // `often` (percent) in between.
  std::vector<Event> another(unsigned often) {
    std::vector<Event> order;
    std::vector<bool> done(events_.size());
    std::ranges::shuffle(threads_, random_);
    while (order.size() < events_.size()) {
      if (random_() % 100 < often) std::ranges::shuffle(threads_, random_);
      const std::size_t next = next_event(done);
      done[next] = true;
      order.push_back(events_[next]);
    }
    return order;
  }

 private:
  std::size_t next_event(const std::vector<bool>& done) const {
    std::size_t best = 0, best_rank = threads_.size();
    for (std::size_t i = 0; i < events_.size(); ++i) {
      if (done[i]) continue;
      const auto rank = static_cast<std::size_t>(std::ranges::find(threads_, events_[i].thread) -
                                                 threads_.begin());
      const auto is_done = [&](std::size_t e) { return done[e]; };
      if (rank >= best_rank || !std::ranges::all_of(before_[i], is_done)) continue;
      best = i;
      best_rank = rank;
    }
    return best;
  }

  const std::vector<Event>& events_;
  std::mt19937_64 random_;
  std::vector<std::vector<std::size_t>> before_;  // by event: those it has to come after
  std::vector<ThreadId> threads_;                 // the one that goes first, first
};

// How a granule (8 bytes) was used so far.
struct Use {
  ThreadId thread{};
  bool by_one_thread = true;
  bool written = false;
};

// Without the accesses to what only their thread has used so far, in the same way. The runtime logs
// the first of them alone: how late the last one was is not known while the program runs.
std::vector<Event> without_own_repeats(const std::vector<Event>& events) {
  std::map<std::uint64_t, Use> uses;
  std::vector<Event> kept;
  for (const Event& e : events) {
    if (e.kind != Kind::kRead && e.kind != Kind::kWrite) {
      kept.push_back(e);
      continue;
    }
    bool repeats = true;
    for (std::uint64_t granule = e.address / 8; granule <= (e.address + e.size - 1) / 8;
         ++granule) {
      const auto [at, first] = uses.try_emplace(granule, Use{.thread = e.thread});
      Use& use = at->second;
      use.by_one_thread &= use.thread == e.thread;
      repeats &= !first && use.by_one_thread && (use.written || e.kind == Kind::kRead);
      use.written |= e.kind == Kind::kWrite;
    }
    if (!repeats) kept.push_back(e);
  }
  return kept;
}

}  // namespace

std::optional<bool> warns_in_every_order(const std::vector<Event>& events, std::uint64_t seed) {
  constexpr int kOrders = 40;  // of each kind
  Orders orders(events, seed);
  const bool verdict = warns(events);
  if (warns(without_own_repeats(events)) != verdict) return std::nullopt;
  for (int i = 0; i < kOrders; ++i) {
    for (const unsigned often : {0, 10, 50}) {
      if (warns(orders.another(often)) != verdict) return std::nullopt;
    }
  }
  return verdict;
}

}  // namespace isosan::test
