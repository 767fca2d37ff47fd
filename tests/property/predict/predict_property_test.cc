// The paper's theorem: a cut-point is found exactly where some lock-valid interleaving of the two
// threads shows the pattern; and every schedule is valid, ends at its cut-point and shows it.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "oracle/property.h"
#include "predict/context_switches.h"
#include "predict/predictor.h"
#include "property/predict/interleavings.h"
#include "property/predict/schedule_player.h"

namespace isosan::test {
namespace {

constexpr PredictLimits kAll{.predictions = 0, .per_place = 0};

// Each event is a place of the program of its own: no class has two members.
std::vector<Event> with_own_sites(std::vector<Event> events) {
  for (std::size_t i = 0; i < events.size(); ++i) {
    events[i].site = SiteId{static_cast<std::uint32_t>(i + 1)};
  }
  return events;
}

std::vector<Event> locks_and_accesses(const Trace& trace) {
  std::vector<Event> events = trace.events;
  std::erase_if(events,
                [](const Event& e) { return e.kind == Kind::kFork || e.kind == Kind::kJoin; });
  return with_own_sites(std::move(events));
}

using Threads = std::vector<std::vector<OracleOperation>>;

std::string told(const Prediction& p) {
  std::string text(name_of(p.pattern));
  for (const PredictedOperation& o : p.operations) {
    text += " " + std::to_string(index(o.thread)) + "#" + std::to_string(o.index);
  }
  for (const CutPoint& cut : p.cut) {
    text += " cut " + std::to_string(index(cut.thread)) + "#" + std::to_string(cut.until);
  }
  return text;
}

// Does the second thread, from f on and in one region, write what e1 and e2 use, or read what both
// of them write?
bool is_pair_pattern(const Prediction& p, const OracleOperation& e1,
                     const std::vector<OracleOperation>& second, const OracleOperation& e2) {
  const bool written = p.pattern == Pattern::kPairWritten;
  if (!written && !(writes(e1.event.kind) && writes(e2.event.kind))) return false;
  const OracleOperation& f = second.at(p.operations[1].index);
  bool meets1 = false, meets2 = false;
  for (std::size_t i = p.operations[1].index; i < second.size(); ++i) {
    const OracleOperation& o = second[i];
    if (!is_access(o.event.kind) || !(i == p.operations[1].index || of_one_region(f, o))) continue;
    if (!(written ? writes(o.event.kind) : reads(o.event.kind))) continue;
    meets1 |= share_a_byte(e1.event, o.event, e1.event);
    meets2 |= share_a_byte(e2.event, o.event, e2.event);
  }
  return meets1 && meets2;
}

// Is the prediction one that the oracle confirms?
std::string unsound(const Prediction& p, const Threads& threads) {
  const auto& first = threads[index(p.operations[0].thread)];
  const auto& second = threads[index(p.operations[1].thread)];
  const OracleOperation& e1 = first.at(p.operations[0].index);
  const OracleOperation& f = second.at(p.operations[1].index);
  const OracleOperation& e2 = first.at(p.operations[2].index);
  if (!of_one_region(e1, e2)) return told(p) + ": e1 and e2 are not of one region";
  if (is_pair(p.pattern)) {
    if (!is_pair_pattern(p, e1, second, e2)) return told(p) + ": no pair";
  } else if (!share_a_byte(e1.event, f.event, e2.event)) {
    return told(p) + ": no common byte";
  } else if (!is_pattern(e1.event, f.event, e2.event)) {
    return told(p) + ": no conflict";
  }
  const bool between =
      p.operations[0].index < p.cut[0].until && p.cut[0].until <= p.operations[2].index;
  if (!between) return told(p) + ": e is not between e1 and e2";
  if (!Interleavings(first, second).reachable(p.cut[0].until, p.cut[1].until - 1)) {
    return told(p) + ": no interleaving reaches the cut-point";
  }
  return "";
}

// Has each pattern of the oracle a prediction with the same f whose window lies within e1 and e2?
std::string incomplete(const std::vector<Prediction>& predictions, const Threads& threads) {
  using Key = std::tuple<std::size_t, std::size_t, std::uint64_t>;  // T1, T2, index of f
  std::map<Key, std::vector<const Prediction*>> by_f;
  for (const Prediction& p : predictions) {
    if (p.pattern == Pattern::kDeadlock) continue;
    by_f[{index(p.operations[0].thread), index(p.operations[1].thread), p.operations[1].index}]
        .push_back(&p);
  }
  for (std::size_t t1 = 0; t1 < threads.size(); ++t1) {
    for (std::size_t t2 = 0; t2 < threads.size(); ++t2) {
      if (t1 == t2) continue;
      const auto &first = threads[t1], &second = threads[t2];
      const Interleavings interleavings(first, second);
      for (std::size_t a = 0; a < first.size(); ++a) {
        for (std::size_t b = a + 1; b < first.size(); ++b) {
          if (!of_one_region(first[a], first[b])) continue;
          for (std::size_t j = 0; j < second.size(); ++j) {
            if (!share_a_byte(first[a].event, second[j].event, first[b].event)) continue;
            if (!is_pattern(first[a].event, second[j].event, first[b].event)) continue;
            bool shown = false;
            for (std::size_t i = a + 1; i <= b; ++i) shown |= interleavings.reachable(i, j);
            const auto& found = by_f[{t1, t2, j}];
            const bool predicted =
                std::any_of(found.begin(), found.end(), [&](const Prediction* p) {
                  return p->operations[0].index >= a && p->operations[2].index <= b;
                });
            if (shown && !predicted) {
              return "missed: " + std::to_string(t1) + "#" + std::to_string(a) + " " +
                     std::to_string(t2) + "#" + std::to_string(j) + " " + std::to_string(t1) + "#" +
                     std::to_string(b);
            }
          }
        }
      }
    }
  }
  return "";
}

std::string theorem_error(const Trace& trace, bool pairs) {
  const std::vector<Event> events = locks_and_accesses(trace);
  const Threads threads = operations_of(events);
  Predictor predictor(trace.tables,
                      {.threads_are_regions = false, .reversals = false, .pairs = pairs});
  predictor.feed(events);
  const std::vector<Prediction> predictions = predictor.predictions(kAll);
  for (const Prediction& p : predictions) {
    if (p.pattern == Pattern::kDeadlock) continue;
    if (std::string error = unsound(p, threads); !error.empty()) return error;
  }
  return incomplete(predictions, threads);
}

// Every thread of a deadlock waits for the next one.
bool is_deadlock(const Prediction& p, const SchedulePlayer& player) {
  for (const CutPoint& cut : p.cut) {
    if (player.executed(index(cut.thread)) != cut.until) return false;
  }
  for (std::size_t i = 0; i < p.cut.size(); ++i) {
    const PredictedOperation& wanted = p.operations[2 * i + 1];
    const PredictedOperation& held = p.operations[(2 * i + 2) % p.operations.size()];
    if (wanted.address != held.address || held.index >= p.cut[(i + 1) % p.cut.size()].until) {
      return false;
    }
  }
  return true;
}

std::string schedule_error(const std::vector<Event>& events, const Tables& tables) {
  Predictor predictor(tables, {.threads_are_regions = true});
  predictor.feed(events);
  for (const Prediction& p : predictor.predictions(kAll)) {
    SchedulePlayer player(events);
    const std::string error = player.play(predictor.schedule(p));
    if (!error.empty()) return told(p) + ": " + error;
    if (p.pattern == Pattern::kDeadlock) {
      if (!is_deadlock(p, player)) return told(p) + ": no deadlock";
      continue;
    }
    const bool reversal = p.operations.size() == 2;
    const std::uint64_t e2 = reversal ? p.cut[0].until : p.operations[2].index;
    const std::uint64_t done1 = player.executed(index(p.operations[0].thread));
    if (done1 <= p.operations[0].index || done1 > e2)
      return told(p) + ": T1 is not between e1 and e2";
    if (events[player.order().back()].site != p.operations[1].site)
      return told(p) + ": f is not last";
  }
  return "";
}

TEST(PredictProperty, CutPointsAreExactlyThoseOfAllInterleavings) {
  EXPECT_TRUE(holds_on_random_traces(
      {.max_intents = 30, .max_threads = 3, .memory_reuse = false, .rare_sync = false},
      [](const Trace& trace) { return theorem_error(trace, /*pairs=*/false); },
      {.default_count = 4'000, .long_count = 200'000}));
}

TEST(PredictProperty, PairsAreSeenInSomeInterleaving) {
  EXPECT_TRUE(holds_on_random_traces(
      {.max_intents = 30, .max_threads = 3, .memory_reuse = false, .rare_sync = false},
      [](const Trace& trace) { return theorem_error(trace, /*pairs=*/true); },
      {.default_count = 4'000, .long_count = 200'000}));
}

TEST(PredictProperty, SchedulesAreValidAndReachTheirCutPoints) {
  EXPECT_TRUE(holds_on_random_traces(
      {}, [](const Trace& t) { return schedule_error(with_own_sites(t.events), t.tables); },
      {.default_count = 4'000, .long_count = 200'000}));
}

TEST(PredictProperty, SchedulesOfLongerTracesAreValid) {
  EXPECT_TRUE(
      holds_on_random_traces({.max_intents = 300, .max_threads = 6},
                             [](const Trace& t) { return schedule_error(t.events, t.tables); },
                             {.default_count = 300, .long_count = 20'000}));
}

}  // namespace
}  // namespace isosan::test
