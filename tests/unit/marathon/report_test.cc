// What a finding carries; unique cycles; the accesses under them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/marathon/program.h"

namespace isosan::test {
namespace {

using testing::HasSubstr;

struct Report : testing::Test {
  Report() {
    get = p.method("C::get");
    set = p.method("C::set");
    o = p.make(1, "C", {"a", "b", "c"});
  }
  // get() sees some fields before and some after set().
  void torn_read() {
    p.call(1, get, o).read(1, o, "a").call(2, set, o);
    p.write(2, o, "a").write(2, o, "b").write(2, o, "c").ret(2);
    p.read(1, o, "b").read(1, o, "c").ret(1);
  }
  Program p;
  FunctionId get, set;
  Program::Object o;
};

TEST_F(Report, NamesSetUnitsAndFields) {
  torn_read();
  const std::vector<Finding> findings = p.findings();
  ASSERT_EQ(findings.size(), 1u);
  const Finding& f = findings[0];
  EXPECT_EQ(f.analysis, "marathon");
  EXPECT_EQ(f.kind, FindingKind::kSetViolation);
  EXPECT_EQ(f.subject, "C");
  ASSERT_GE(f.transactions.size(), 2u);
  EXPECT_EQ(f.transactions[0].function, get);
  EXPECT_EQ(f.transactions[1].function, set);
  EXPECT_EQ(f.transactions[0].thread, ThreadId{1});
  EXPECT_FALSE(f.transactions[0].finished);
  EXPECT_TRUE(f.transactions[1].finished);
  EXPECT_THAT(f.message, HasSubstr("C::get (thread 1) before C::set (thread 2) before C::get"));
  EXPECT_THAT(f.notes.at(0), HasSubstr("C::a, C::b"));
}

TEST_F(Report, ListsEveryAccessThatInducesTheCycle) {
  torn_read();
  const Finding finding = p.findings().at(0);
  ASSERT_EQ(finding.edges.size(), 3u) << "a from get to set; b and c from set to get";
  for (const FindingEdge& edge : finding.edges) {
    EXPECT_LT(finding.steps[edge.from].where.ordinal, finding.steps[edge.to].where.ordinal);
    EXPECT_EQ(edge.reason, EdgeReason::kData);
    EXPECT_NE(finding.steps[edge.from].transaction, finding.steps[edge.to].transaction);
    EXPECT_EQ(finding.steps[edge.from].where.thread,
              finding.transactions[finding.steps[edge.from].transaction].thread);
  }
}

TEST_F(Report, TellsWhereTheObjectWasAllocated) {
  torn_read();
  const Finding finding = p.findings().at(0);
  const auto step =
      std::find_if(finding.steps.begin(), finding.steps.end(),
                   [](const FindingStep& s) { return s.role == "object allocated at"; });
  ASSERT_NE(step, finding.steps.end());
  EXPECT_EQ(step->where.ordinal, 0u);
  EXPECT_EQ(step->address, o.address);
}

TEST_F(Report, TheSameCycleIsReportedOnceAndCounted) {
  torn_read();
  torn_read();
  const std::vector<Finding> findings = p.findings();
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].times, 2u);
  EXPECT_EQ(p.stat("cycles_of_2"), 1u);
  EXPECT_EQ(p.stat("violations"), 2u);
}

TEST_F(Report, CyclesOfDifferentSizesAreDifferent) {
  torn_read();
  const FunctionId f = p.method("C::f"), g = p.method("C::g"), h = p.method("C::h");
  p.call(1, f, o).call(2, g, o).call(3, h, o).write(1, o, "a").read(2, o, "a").write(2, o, "b");
  p.read(3, o, "b").write(3, o, "c").read(1, o, "c").ret(1).ret(2).ret(3);
  EXPECT_EQ(p.findings().size(), 2u);
  EXPECT_EQ(p.stat("cycles_of_2"), 1u);
  EXPECT_EQ(p.stat("cycles_of_3"), 1u);
}

TEST_F(Report, FinishedUnitsDoNotStay) {
  for (int i = 0; i < 1000; ++i) {
    const int t = 1 + i % 3;
    p.call(t, set, o).write(t, o, "a").write(t, o, "b").ret(t);
  }
  EXPECT_TRUE(p.findings().empty());
  EXPECT_EQ(p.stat("units"), 1000u);
  EXPECT_LE(p.stat("largest_graph"), 2u);
}

}  // namespace
}  // namespace isosan::test
