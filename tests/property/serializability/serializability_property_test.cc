// Each engine = the oracle, on every random trace: verdict, first violating event, and (where an
// engine reports whole cycles) that every cycle it reports is one of the oracle's graph.
#include "oracle/cycle_check.h"
#include "oracle/property.h"
#include "oracle/serializability_oracle.h"
#include "property/serializability/engines.h"

namespace isosan::test {
namespace {

std::string text_of(std::optional<std::size_t> violation) {
  return violation ? "a violation at line " + std::to_string(*violation + 1) : "no violation";
}

template <class E>
std::string error_of(const Trace& trace, bool sync_edges) {
  const SerializabilityOracle oracle(trace.events, sync_edges);
  const std::optional<std::size_t> first = E::first_violation(trace, sync_edges);
  const std::string setting = sync_edges ? " (sync edges on)" : " (sync edges off)";
  if (first != oracle.first_violation())
    return "the analysis finds " + text_of(first) + ", the oracle " +
           text_of(oracle.first_violation()) + setting;
  if constexpr (E::evidence == Evidence::kCycle)
    for (const Finding& finding : E::findings_of(trace, sync_edges))
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

// More transactions open at one time than a machine word has bits.
TYPED_TEST(Serializability, OfTracesWithHundredsOfThreads) {
  const RandomTraceOptions options{.max_intents = 900,
                                   .max_threads = 250,
                                   .max_variables = 100,
                                   .byte_ranges = false,
                                   .memory_reuse = false,
                                   .rare_sync = false};
  EXPECT_TRUE(holds_on_random_traces(
      options, [](const Trace& trace) { return error_of<TypeParam>(trace, true); }, {50, 2'000}));
}

// What is forgotten may hide a violation, and makes none up. Three quarters of the
// limit are one page whose granules were always accessed whole.
TEST(Forgetting, AddsNoCycle) {
  using Forgetful = Engine<Collecting<Velodrome, 11000>, Evidence::kCycle>;
  std::size_t found = 0, forgotten = 0;
  EXPECT_TRUE(holds_on_random_traces({}, [&](const Trace& trace) -> std::string {
    const SerializabilityOracle oracle(trace.events, true);
    const std::vector<Finding> findings = Forgetful::findings_of(trace, true);
    found += !findings.empty();
    forgotten += findings.empty() && oracle.first_violation().has_value();
    for (const Finding& finding : findings)
      if (std::string error = cycle_error(finding, trace.events, oracle); !error.empty())
        return error;
    return "";
  }));
  EXPECT_GT(found, 0u);
  EXPECT_GT(forgotten, 0u);
}

// Two non-serializable traces on which other tools are known to fail.
TYPED_TEST(Serializability, OfTracesThatPeersGetWrong) {
  for (const char* text : {"T1|begin\nT1|w(a)\nT2|begin\nT2|r(a)\nT2|w(b)\nT2|end\n"
                           "T0|begin\nT0|w(c)\nT1|r(c)\nT1|end\nT0|r(b)\nT0|end\n",
                           "T0|begin\nT0|w(a)\nT1|begin\nT1|r(a)\nT1|end\n"
                           "T1|begin\nT1|w(b)\nT1|end\nT0|r(b)\nT0|end\n"}) {
    const Trace trace = parse_trace(text);
    EXPECT_EQ(error_of<TypeParam>(trace, true), "");
    EXPECT_EQ(TypeParam::findings_of(trace, true).size(), 1u);
  }
}

}  // namespace
}  // namespace isosan::test
