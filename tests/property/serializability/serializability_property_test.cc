// velodrome = atomsanitizer = ... = the oracle, on every random trace: verdict, first violating
// event, and (where an engine reports whole cycles) that the cycle is one of the oracle's graph.
//
// A further engine is one line in Engines.
#include <gtest/gtest.h>

#include <algorithm>

#include "analysis/atomsanitizer/atomsanitizer.h"
#include "analysis/velodrome/velodrome.h"
#include "oracle/cycle_check.h"
#include "oracle/property.h"
#include "oracle/serializability_oracle.h"

namespace isosan::test {
namespace {

// Does every finding hold the whole cycle, or only the dependence that closes it?
enum class Evidence { kCycle, kClosingEdge };

template <class A, Evidence kEvidence>
struct Engine {
  using Analysis = A;
  static constexpr Evidence evidence = kEvidence;
};

using Engines = testing::Types<Engine<Velodrome, Evidence::kCycle>,
                               Engine<AtomSanitizer, Evidence::kClosingEdge>>;

template <class A>
std::vector<Finding> findings_of(const Trace& trace, bool sync_edges) {
  FindingSink sink;
  typename A::Options options;
  options.sync_edges = sync_edges;
  A analysis(sink, options);
  feed(analysis, trace.events, 0);
  analysis.finish();
  return sink.findings();
}

// The event that closed the cycle is the last of its steps.
std::optional<std::size_t> first_violation(const std::vector<Finding>& findings) {
  if (findings.empty()) return std::nullopt;
  std::size_t last = 0;
  for (const FindingStep& step : findings.front().steps)
    last = std::max<std::size_t>(last, step.where.ordinal);
  return last;
}

std::string text_of(std::optional<std::size_t> violation) {
  return violation ? "a violation at line " + std::to_string(*violation + 1) : "no violation";
}

template <class E>
std::string error_of(const Trace& trace, bool sync_edges) {
  const SerializabilityOracle oracle(trace.events, sync_edges);
  const std::vector<Finding> findings = findings_of<typename E::Analysis>(trace, sync_edges);
  const std::string setting = sync_edges ? " (sync edges on)" : " (sync edges off)";
  if (first_violation(findings) != oracle.first_violation())
    return "the analysis finds " + text_of(first_violation(findings)) + ", the oracle " +
           text_of(oracle.first_violation()) + setting;
  if constexpr (E::evidence == Evidence::kCycle)
    for (const Finding& finding : findings)
      if (std::string error = cycle_error(finding, trace.events, oracle); !error.empty())
        return "not a cycle: " + error + setting;
  return "";
}

template <class E>
class Serializability : public testing::Test {};
TYPED_TEST_SUITE(Serializability, Engines);

TYPED_TEST(Serializability, IsDecidedAsByTheOracle) {
  EXPECT_TRUE(holds_on_random_traces({}, [](const Trace& trace) {
    const std::string error = error_of<TypeParam>(trace, true);
    return error.empty() ? error_of<TypeParam>(trace, false) : error;
  }));
}

// Few kinds of events and many threads: long cycles, transactions that overlap for long.
TYPED_TEST(Serializability, OfLongTracesWithManyThreads) {
  const RandomTraceOptions options{.max_intents = 200,
                                   .max_threads = 12,
                                   .byte_ranges = false,
                                   .memory_reuse = false,
                                   .rare_sync = false};
  EXPECT_TRUE(holds_on_random_traces(
      options, [](const Trace& trace) { return error_of<TypeParam>(trace, true); },
      {1'000, 50'000}));
}

// The two traces of facts that peers get wrong (see also the oracle's own tests).
TYPED_TEST(Serializability, OfTracesThatPeersGetWrong) {
  for (const char* text : {"T1|begin\nT1|w(a)\nT2|begin\nT2|r(a)\nT2|w(b)\nT2|end\n"
                           "T0|begin\nT0|w(c)\nT1|r(c)\nT1|end\nT0|r(b)\nT0|end\n",
                           "T0|begin\nT0|w(a)\nT1|begin\nT1|r(a)\nT1|end\n"
                           "T1|begin\nT1|w(b)\nT1|end\nT0|r(b)\nT0|end\n"}) {
    const Trace trace = parse_trace(text);
    EXPECT_EQ(error_of<TypeParam>(trace, true), "");
    EXPECT_EQ(findings_of<typename TypeParam::Analysis>(trace, true).size(), 1u);
  }
}

}  // namespace
}  // namespace isosan::test
