// doublechecker = the oracle on every random trace (it tells at a transaction's end, so the verdict
// is compared, not the event), its cycles are cycles of the oracle's graph, and its two-run mode
// loses nothing on one trace.
#include <gtest/gtest.h>

#include "analysis/doublechecker/doublechecker.h"
#include "analysis/velodrome/velodrome.h"
#include "oracle/cycle_check.h"
#include "oracle/property.h"
#include "oracle/serializability_oracle.h"
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
  const Run single = run(trace, {.sync_edges = sync_edges});
  const bool expected = oracle.first_violation().has_value();
  if (single.findings.empty() == expected)
    return "doublechecker finds " + verdict(!expected) + ", the oracle " + verdict(expected);
  for (const Finding& finding : single.findings)
    if (std::string error = cycle_error(finding, trace.events, oracle); !error.empty())
      return "not a cycle: " + error;
  return "";
}

TEST(DoubleChecker, SingleRunDecidesAsTheOracle) {
  EXPECT_TRUE(holds_on_random_traces({}, [](const Trace& trace) {
    const std::string error = single_run_error(trace, true);
    return error.empty() ? single_run_error(trace, false) : error;
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

}  // namespace
}  // namespace isosan::test
