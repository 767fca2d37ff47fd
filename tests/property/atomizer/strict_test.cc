// Theorems 2 and 5 as laws: what the strict rules (Figs. 8 and 11) admit is serializable, in the
// order observed and in every other order of the same operations.
#include <gtest/gtest.h>

#include "analysis/atomizer/atomizer.h"
#include "oracle/property.h"
#include "oracle/serializability_oracle.h"
#include "property/atomizer/disciplined_trace.h"

namespace isosan::test {
namespace {

constexpr int kOrders = 6;

bool admits(const std::vector<Event>& events, const AtomizerOptions& options) {
  FindingSink sink;
  Atomizer atomizer(sink, options);
  feed(atomizer, events, 0);
  return sink.findings().empty();
}

struct Tally {
  int admitted = 0, refused = 0, refused_rightly = 0;  // rightly: some order is not serializable
};

void check(const Trace& trace, const AtomizerOptions& options, Tally& tally) {
  const bool admitted = admits(trace.events, options);
  ++(admitted ? tally.admitted : tally.refused);
  std::mt19937 random(1);
  bool all_serializable = true;
  for (int order = 0; order <= kOrders; ++order) {
    const std::vector<Event> events = order == 0 ? trace.events : reordered(trace.events, random);
    const bool serializable = SerializabilityOracle(events, true).serializable();
    all_serializable &= serializable;
    if (admitted && !serializable) {
      RC_FAIL("admitted, but this order is not serializable:\n" +
              print_trace({trace.tables, events}));
    }
  }
  tally.refused_rightly += !all_serializable;
}

void expect_varied(const Tally& tally) {
  const int all = tally.admitted + tally.refused;
  testing::Test::RecordProperty("admitted", tally.admitted);
  testing::Test::RecordProperty("refused_rightly", tally.refused_rightly);
  EXPECT_GT(tally.admitted, all / 5);
  EXPECT_GT(tally.refused_rightly, all / 10) << "the law is empty if no order ever goes wrong";
}

TEST(Strict, WhatFig11AdmitsIsSerializableInEveryOrder) {
  const AtomizerOptions options = AtomizerOptions::strict(AtomizerOptions::RaceRule::kWrong);
  Tally tally;
  const auto law = [&] {
    const DisciplinedTrace random =
        *disciplined_traces({.two_phase = false, .bare_accesses_percent = 1}, 500);
    check(random.trace(), options, tally);
  };
  EXPECT_TRUE(law_holds(law, {8000, 200'000}));
  expect_varied(tally);
}

// x0 and x1 are protected by their locks, x2 by nothing.
TEST(Strict, WhatFig8AdmitsIsSerializableInEveryOrder) {
  Tally tally;
  const auto law = [&] {
    const DisciplinedTrace random =
        *disciplined_traces({.two_phase = false, .bare_accesses_percent = 2}, 500);
    const Trace trace = random.trace();
    AtomizerOptions options = AtomizerOptions::strict(AtomizerOptions::RaceRule::kDeclared);
    for (const Symbol& variable : trace.tables.symbols) {
      for (const Symbol& lock : trace.tables.symbols) {
        if ((variable.name == "x0" && lock.name == "l0") ||
            (variable.name == "x1" && lock.name == "l1")) {
          options.declarations.protect(variable.address, 8, lock.address);
        }
      }
    }
    check(trace, options, tally);
  };
  EXPECT_TRUE(law_holds(law, {8000, 200'000}));
  expect_varied(tally);
}

}  // namespace
}  // namespace isosan::test
