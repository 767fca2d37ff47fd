// doublechecker = the oracle on every random trace (it tells at a transaction's end, so the verdict
// is compared, not the event), its cycles are cycles of the oracle's graph, and its two-run mode
// loses nothing on one trace.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

#include "analysis/doublechecker/doublechecker.h"
#include "analysis/doublechecker/pcd_only.h"
#include "analysis/velodrome/velodrome.h"
#include "event/dependence.h"
#include "oracle/cycle_check.h"
#include "oracle/property.h"
#include "oracle/serializability_oracle.h"
#include "runtime/contract/log_format.h"
#include "unit/doublechecker/second_run.h"

namespace isosan::test {
namespace {

struct Run {
  std::vector<Finding> findings;
  Suspects suspects;
};

Run run(const Trace& trace, const DoubleCheckerOptions& options) {
  FindingSink sink;
  DoubleChecker analysis(sink, options);
  feed(analysis, trace.events, 0);
  analysis.finish();
  return {sink.findings(), analysis.suspects()};
}

std::string verdict(bool violation) { return violation ? "a violation" : "no violation"; }

std::string single_run_error(const Trace& trace, bool sync_edges) {
  const SerializabilityOracle oracle(trace.events, sync_edges);
  const bool expected = oracle.first_violation().has_value();
  for (const std::size_t crowd : {0, 1 << 14}) {
    const Run single = run(trace, {.sync_edges = sync_edges, .merge_above = crowd});
    if (single.findings.empty() == expected)
      return "doublechecker finds " + verdict(!expected) + ", the oracle " + verdict(expected);
    for (const Finding& finding : single.findings)
      if (std::string error = cycle_error(finding, trace.events, oracle); !error.empty())
        return "not a cycle: " + error;
  }
  return "";
}

TEST(DoubleChecker, SingleRunDecidesAsTheOracle) {
  EXPECT_TRUE(holds_on_random_traces({}, [](const Trace& trace) {
    const std::string error = single_run_error(trace, true);
    return error.empty() ? single_run_error(trace, false) : error;
  }));
}

// Section 5.4: everything logged and replayed is velodrome, event by event.
TEST(PcdOnly, FindsWhatVelodromeFinds) {
  EXPECT_TRUE(holds_on_random_traces({}, [](const Trace& trace) -> std::string {
    FindingSink precise, replayed;
    Velodrome velodrome(precise, {});
    PcdOnly straw_man(replayed, {});
    feed(velodrome, trace.events, 0);
    feed(straw_man, trace.events, 0);
    velodrome.finish();
    straw_man.finish();
    const auto key = [](const Finding& finding) { return finding.key; };
    const bool same = std::ranges::equal(precise.findings(), replayed.findings(), {}, key, key);
    return same ? "" : "other findings than velodrome's";
  }));
}

// Section 3.2.5: the transactions of every precise cycle are in an imprecise one.
std::string soundness_error(const Trace& trace) {
  FindingSink sink;
  Velodrome velodrome(sink, {});
  feed(velodrome, trace.events, 0);
  const Run first = run(trace, {.log_accesses = false});
  if (!first.findings.empty()) return "a first run has findings";
  for (const Finding& finding : sink.findings()) {
    for (const FindingTransaction& tx : finding.transactions) {
      const bool suspected = tx.region == kNoRegion ? first.suspects.unary
                                                    : first.suspects.regions.contains(tx.region);
      if (!suspected) return "a transaction of a precise cycle is no suspect";
    }
  }
  const Run second = run(second_run_of(trace, first.suspects), {});
  if (second.findings.empty() != sink.findings().empty())
    return "the second run and velodrome differ";
  return "";
}

TEST(DoubleChecker, EveryPreciseCycleIsSuspectedAndFoundInASecondRun) {
  EXPECT_TRUE(holds_on_random_traces({}, soundness_error, {5'000, 200'000}));
}

// What a runtime's markers would tell of the trace: each event comes after the latest event of
// every other thread that it may depend on, unless earlier markers and program order imply that
// (runtime.md, rule 3); rounded up by chance.
class Markers {
 public:
  explicit Markers(const Trace& trace) : events_(trace.events), random_(trace.events.size()) {
    for (std::size_t j = 0; j < events_.size(); ++j) {
      const std::uint32_t thread = index(events_[j].thread);
      while (cuts_.size() <= thread) {
        cuts_.push_back(0);
        clocks_.emplace_back();
      }
      for (std::uint32_t u = 0; u < cuts_.size(); ++u) add_from(j, ThreadId{u});
      counts_.push_back(cuts_[thread] += is_cut(events_[j].kind));
      clocks_[thread][thread] = j + 1;
      clock_after_.push_back(clocks_[thread]);
    }
  }
  std::vector<Dependence> all;

 private:
  using Clock = std::map<std::uint32_t, std::size_t>;  // by thread: one more than its latest event

  static bool orders(const Event& a, const Event& b) {
    if (a.kind == Kind::kFork) return a.address == index(b.thread);
    if (b.kind == Kind::kJoin) return b.address == index(a.thread);
    if (is_access(a.kind) && is_access(b.kind)) {
      const bool meet = a.address < b.address + b.size && b.address < a.address + a.size;
      const auto reads = [](Kind k) { return k == Kind::kRead || k == Kind::kAtomicLoad; };
      return meet && !(reads(a.kind) && reads(b.kind));
    }
    return !is_access(a.kind) && !is_access(b.kind) && a.address == b.address;
  }
  void add_from(std::size_t j, ThreadId other) {
    if (other == events_[j].thread) return;
    for (std::size_t i = j; i-- > 0;) {
      if (events_[i].thread != other || !orders(events_[i], events_[j])) continue;
      Clock& clock = clocks_[index(events_[j].thread)];
      if (clock[index(other)] > i) return;
      for (const auto& [thread, end] : clock_after_[i])
        clock[thread] = std::max(clock[thread], end);
      const std::uint64_t now = cuts_[index(other)];
      Dependence d{j, events_[j].thread, other, counts_[i], is_cut(events_[i].kind)};
      if (random_() % 4 == 0) d.exact = false;
      if (random_() % 4 == 0 && now > d.point) d = {j, d.thread, other, now, false};
      all.push_back(d);
      return;
    }
  }

  const std::vector<Event>& events_;
  std::vector<std::uint64_t> cuts_;    // by thread, so far
  std::vector<std::uint64_t> counts_;  // by event: cuts of its thread up to it
  std::vector<Clock> clocks_;          // by thread: what it comes after so far
  std::vector<Clock> clock_after_;     // by event: its thread's
  std::minstd_rand random_;
};

// Accesses from here on that could be one walk of a runtime: how many.
std::size_t walk_from(const std::vector<Event>& events, std::size_t first) {
  const Event& start = events[first];
  if (start.kind != Kind::kRead && start.kind != Kind::kWrite) return 1;
  std::size_t end = first + 1;
  const auto goes_on = [&](const Event& e) {
    return e.kind == start.kind && e.thread == start.thread && e.size == start.size &&
           (end == first + 1
                ? e.address != start.address
                : e.address - events[end - 1].address == events[first + 1].address - start.address);
  };
  while (end < events.size() && goes_on(events[end])) ++end;
  return end - first;
}

// A first run is not shown accesses.
Run run_with_markers(const Trace& trace, DoubleCheckerOptions options, bool gathers = false) {
  options.markers = true;
  FindingSink sink;
  DoubleChecker analysis(sink, options);
  const Markers markers(trace);
  auto next = markers.all.begin();
  for (std::size_t i = 0; i < trace.events.size();) {
    const std::size_t count = gathers ? walk_from(trace.events, i) : 1;
    for (; next != markers.all.end() && next->before < i + count; ++next) analysis.on(*next);
    Event event = trace.events[i];
    if (count > 1)
      make_walk(event, {event.size, count, trace.events[i + 1].address - event.address});
    if (options.log_accesses || !is_access(event.kind)) dispatch(analysis, event, i);
    i += count;
  }
  analysis.finish();
  return {sink.findings(), analysis.suspects()};
}

std::string markers_error(const Trace& trace, bool sync_edges) {
  const bool expected =
      SerializabilityOracle(trace.events, sync_edges).first_violation().has_value();
  // A threshold of two entries: nearly everything is spilled.
  for (const std::uint64_t spill_above : {std::uint64_t{64}, std::uint64_t{1} << 20}) {
    const Run single =
        run_with_markers(trace, {.sync_edges = sync_edges, .spill_above = spill_above});
    if (single.findings.empty() == expected)
      return "with markers it finds " + verdict(!expected) + ", the oracle " + verdict(expected);
  }
  const Run gathered = run_with_markers(trace, {.sync_edges = sync_edges}, true);
  if (gathered.findings.empty() == expected)
    return "with walks it finds " + verdict(!expected) + ", the oracle " + verdict(expected);
  for (const Finding& finding : gathered.findings)
    for (const FindingStep& step : finding.steps)
      if (const Event& e = trace.events.at(step.where.ordinal);
          e.thread != step.where.thread || e.kind != step.operation)
        return "with walks a finding tells of another event than " +
               std::to_string(step.where.ordinal);
  const Run postponed =
      run_with_markers(trace, {.sync_edges = sync_edges, .cheap_search = 1, .merge_above = 0});
  if (postponed.findings.empty() == expected)
    return "in a crowd, searches postponed, it finds " + verdict(!expected) + ", the oracle " +
           verdict(expected);
  return "";
}

// One walk of T1, but two transactions: the first comes before T2's, the second after it. T2's is
// in a component, with T1's as a whole.
TEST(DoubleChecker, AWalkOutsideRegionsIsManyTransactions) {
  const Trace trace = parse_trace(
      "T0|begin(u)\nT0|w(x)\nT2|begin(v)\nT2|w(y)\nT1|r(x)\nT1|r(y)\nT2|w(x)\nT2|end\nT0|end\n");
  ASSERT_EQ(walk_from(trace.events, 4), 2u);
  EXPECT_TRUE(run_with_markers(trace, {}, true).findings.empty());
}

// T0 reads x before T1 writes it. All that says so are two markers, from T0 to T2 and from T2 to T1:
// they order T1's write, so it needs no marker of its own. T2 has no access of its own in between.
constexpr std::string_view kThroughSynchronization =
    "T0|begin(u)\nT0|r(x)\nT0|acq(l)\nT0|rel(l)\nT2|acq(l)\nT2|acq(m)\nT2|rel(m)\n"
    "T1|acq(m)\nT1|w(x)\nT0|w(x)\nT0|end\n";
// The same, but what stands between T2's two markers is the edge of a region that is not atomic.
constexpr std::string_view kThroughAnEdge =
    "T0|begin(u)\nT0|r(x)\nT4|w(x)\nT4|begin(v)\nT1|begin.deterministic(u)\nT0|begin(u)\n"
    "T0|r(x)\n";

TEST(DoubleChecker, MarkersOfAThreadWithoutTransactionsAreDependences) {
  for (const std::string_view text : {kThroughSynchronization, kThroughAnEdge}) {
    const Trace trace = parse_trace(text);
    ASSERT_TRUE(SerializabilityOracle(trace.events, false).first_violation().has_value());
    EXPECT_EQ(run_with_markers(trace, {.sync_edges = false}).findings.size(), 1u) << text;
  }
}

// T1's transactions are one node: the marker at its first acquire orders all of them after T2's
// write of x1. Its last one repeats the second, but comes after the read of x1.
TEST(DoubleChecker, ARepetitionBehindSomethingNewIsKept) {
  const Trace trace = parse_trace(
      "T2|begin(u)\nT2|acq(l)\nT2|w(x1)\nT2|rel(l)\nT1|acq(l)\nT1|rel(l)\nT1|acq(l)\nT1|w(x0)\n"
      "T1|rel(l)\nT1|acq(l)\nT1|r(x1)\nT1|rel(l)\nT1|acq(l)\nT1|w(x0)\nT1|rel(l)\nT2|w(x0)\n");
  const DoubleCheckerOptions crowd{.sync_edges = false, .merge_above = 0};
  EXPECT_EQ(run_with_markers(trace, crowd).findings.size(), 1u);
}

TEST(DoubleChecker, SingleRunOnMarkersDecidesAsTheOracle) {
  EXPECT_TRUE(holds_on_random_traces({},
                                     [](const Trace& trace) {
                                       const std::string error = markers_error(trace, true);
                                       return error.empty() ? markers_error(trace, false) : error;
                                     },
                                     {1'000, 100'000}));
}

std::string first_run_error(const Trace& trace) {
  FindingSink sink;
  Velodrome velodrome(sink, {});
  feed(velodrome, trace.events, 0);
  const DoubleCheckerOptions usual{.log_accesses = false};
  const DoubleCheckerOptions crowded{.log_accesses = false, .cheap_search = 1, .merge_above = 0};
  for (const DoubleCheckerOptions& options : {usual, crowded}) {
    const Suspects suspects = run_with_markers(trace, options).suspects;
    for (const Finding& finding : sink.findings()) {
      for (const FindingTransaction& tx : finding.transactions) {
        if (tx.region == kNoRegion ? !suspects.unary : !suspects.regions.contains(tx.region))
          return "a transaction of a precise cycle is no suspect of a first run on markers";
      }
    }
  }
  return "";
}

TEST(DoubleChecker, EveryPreciseCycleIsSuspectedByAFirstRunOnMarkers) {
  EXPECT_TRUE(holds_on_random_traces({}, first_run_error, {5'000, 200'000}));
}

}  // namespace
}  // namespace isosan::test
