#include "oracle/serializability_oracle.h"

#include <gtest/gtest.h>

#include "oracle/trace_builder.h"

namespace isosan::test {
namespace {

std::optional<std::size_t> violation(std::string_view text, bool sync_edges = true) {
  return SerializabilityOracle(parse_trace(text).events, sync_edges).first_violation();
}
constexpr std::optional<std::size_t> kNone;

TEST(SerializabilityOracle, EmptyAndSerialTraces) {
  EXPECT_EQ(violation(""), kNone);
  EXPECT_EQ(violation("T0|begin\nT0|r(x)\nT0|w(x)\nT0|end\nT1|begin\nT1|r(x)\nT1|w(x)\nT1|end\n"),
            kNone);
}

TEST(SerializabilityOracle, LostUpdate) {
  EXPECT_EQ(violation("T0|begin\nT0|r(x)\nT1|w(x)\nT0|w(x)\nT0|end\n"), 3u);
  EXPECT_EQ(violation("T0|begin\nT0|r(x)\nT1|r(x)\nT0|w(x)\nT0|end\n"), kNone);
}

TEST(SerializabilityOracle, UnaryTransactionsAloneNeverViolate) {
  EXPECT_EQ(violation("T0|w(x)\nT1|w(x)\nT0|w(y)\nT1|w(y)\nT0|w(x)\n"), kNone);
}

// The two traces at the end of facts.md that peers get wrong.
TEST(SerializabilityOracle, ThreeTransactionsOneFinished) {
  EXPECT_EQ(violation("T1|begin\nT1|w(a)\nT2|begin\nT2|r(a)\nT2|w(b)\nT2|end\n"
                      "T0|begin\nT0|w(c)\nT1|r(c)\nT1|end\nT0|r(b)\nT0|end\n"),
            10u);
}
TEST(SerializabilityOracle, EdgeInheritedByProgramOrder) {
  EXPECT_EQ(violation("T0|begin\nT0|w(a)\nT1|begin\nT1|r(a)\nT1|end\n"
                      "T1|begin\nT1|w(b)\nT1|end\nT0|r(b)\nT0|end\n"),
            8u);
}

TEST(SerializabilityOracle, OnlyTheOutermostRegionCounts) {
  EXPECT_EQ(violation("T0|begin\nT0|begin\nT0|r(x)\nT0|end\nT1|w(x)\nT0|w(x)\n"), 5u);
  EXPECT_EQ(violation("T0|begin.unit(u)\nT0|r(x)\nT1|w(x)\nT0|w(x)\n"), kNone);
  EXPECT_EQ(violation("T0|begin\nT0|begin.unit(u)\nT0|r(x)\nT0|end\nT1|w(x)\nT0|w(x)\n"), 5u);
}

TEST(SerializabilityOracle, LocksOrderOnlyWithSyncEdges) {
  const char* two_sections =
      "T0|begin\nT0|acq(l)\nT0|rel(l)\nT1|acq(l)\nT1|rel(l)\nT0|acq(l)\nT0|rel(l)\nT0|end\n";
  EXPECT_EQ(violation(two_sections), 5u);
  EXPECT_EQ(violation(two_sections, false), kNone);
}

TEST(SerializabilityOracle, ReentrantAndSharedLocks) {
  EXPECT_EQ(violation("T0|begin\nT0|acq.shared(l)\nT1|acq.shared(l)\nT1|rel.shared(l)\n"
                      "T0|rel.shared(l)\nT0|acq.shared(l)\nT0|rel.shared(l)\nT0|end\n"),
            kNone);
  EXPECT_EQ(violation("T0|begin\nT0|acq.shared(l)\nT0|rel.shared(l)\nT1|acq(l)\nT1|rel(l)\n"
                      "T0|acq.shared(l)\n"),
            5u);
  // The inner release gives nothing up, so nobody can come between; and it orders nothing.
  EXPECT_EQ(violation("T0|acq(l)\nT0|begin\nT0|acq(l)\nT0|rel(l)\nT0|acq(l)\nT0|rel(l)\nT0|end\n"),
            kNone);
}

TEST(SerializabilityOracle, ForkAndJoinInsideATransaction) {
  EXPECT_EQ(violation("T0|begin\nT0|fork(T1)\nT1|w(x)\nT0|join(T1)\nT0|end\n"), 3u);
  EXPECT_EQ(violation("T0|begin\nT0|fork(T1)\nT1|w(x)\nT0|join(T1)\nT0|end\n", false), kNone);
  EXPECT_EQ(violation("T0|begin\nT0|fork(T1)\nT1|w(x)\nT0|r(x)\nT0|end\n"), 3u);
  EXPECT_EQ(violation("T0|begin\nT0|w(x)\nT1|r(x)\nT0|join(T1)\n"), 3u) << "never forked";
  EXPECT_EQ(violation("T0|begin\nT0|join(T1)\nT1|w(x)\nT0|r(x)\n"), kNone);
}

TEST(SerializabilityOracle, ExactToTheByte) {
  EXPECT_EQ(violation("T0|begin\nT0|r(x:4)\nT1|w(x+4:4)\nT0|w(x:4)\n"), kNone);
  EXPECT_EQ(violation("T0|begin\nT0|r(x:4)\nT1|w(x+3:2)\nT0|w(x)\n"), 3u);
  // Neither pair of threads shares a byte twice in conflicting order.
  EXPECT_EQ(violation("T0|begin\nT0|r(x:4)\nT1|w(x+3:2)\nT0|w(x+5:2)\n"), kNone);
}

TEST(SerializabilityOracle, ReusedMemoryIsANewLocation) {
  EXPECT_EQ(violation("T0|begin\nT0|r(x)\nT1|w(x)\nT1|free(x)\nT0|w(x)\n"), kNone);
  EXPECT_EQ(violation("T0|begin\nT0|r(x)\nT1|w(x)\nT1|alloc(x:4)\nT0|w(x:4)\n"), kNone);
  EXPECT_EQ(violation("T0|begin\nT0|r(x)\nT1|w(x)\nT1|alloc(x:4)\nT0|w(x)\n"), 4u);
}

TEST(SerializabilityOracle, AtomicsAreDataWithAndWithoutSyncEdges) {
  const char* text = "T0|begin\nT0|aload.relaxed(x)\nT1|armw.relaxed(x)\nT0|astore.relaxed(x)\n";
  EXPECT_EQ(violation(text), 3u);
  EXPECT_EQ(violation(text, false), 3u);
}

TEST(SerializabilityOracle, GenerationsOfABarrierAreDifferentObjects) {
  // T0 is already at the next generation when T1 leaves the first: no dependence between these two.
  EXPECT_EQ(violation("T0|arrive(b@0)\nT1|begin\nT1|w(x)\nT1|arrive(b@0)\nT0|depart(b@0)\n"
                      "T0|r(y)\nT0|arrive(b@1)\nT1|r(z)\nT1|end\n"),
            kNone);
  EXPECT_EQ(violation("T1|begin\nT1|arrive(b@0)\nT0|arrive(b@0)\nT0|depart(b@0)\n"
                      "T0|arrive(b@1)\nT1|depart(b@0)\n"),
            kNone)
      << "T1 arrives before T0 leaves, T0 arrives (generation 0) before T1 leaves: two unary "
         "events";
  EXPECT_EQ(violation("T1|begin\nT1|arrive(b@0)\nT0|depart(b@0)\nT0|arrive(b@1)\nT1|depart(b@1)\n"),
            4u);
}

TEST(SerializabilityOracle, SemaphoreConditionOnce) {
  EXPECT_EQ(violation("T0|begin\nT0|post(s)\nT1|take(s)\nT1|post(t)\nT0|take(t)\n"), 4u);
  EXPECT_EQ(violation("T0|begin\nT0|notify(c)\nT1|woken(c)\nT1|notify(d)\nT0|woken(d)\n"), 4u);
  EXPECT_EQ(violation("T0|begin\nT0|notify(c)\nT1|woken.timed_out(c)\nT1|notify(d)\nT0|woken(d)\n"),
            kNone);
  EXPECT_EQ(violation("T0|begin\nT0|once(o)\nT1|seen(o)\nT1|w(x)\nT0|r(x)\n"), 4u);
}

TEST(SerializabilityOracle, TellsTheGraph) {
  const Trace t = parse_trace("T0|begin(f)\nT0|r(x)\nT1|w(x)\nT0|w(x)\nT0|end\nT0|r(y)\n");
  const SerializabilityOracle oracle(t.events, true);
  EXPECT_EQ(oracle.transactions().size(), 3u);
  EXPECT_TRUE(oracle.depends(1, 2, EdgeReason::kData));
  EXPECT_TRUE(oracle.depends(2, 3, EdgeReason::kData));
  EXPECT_FALSE(oracle.depends(1, 3, EdgeReason::kData)) << "one thread";
  EXPECT_TRUE(oracle.depends(3, 5, EdgeReason::kProgramOrder));
  EXPECT_FALSE(oracle.depends(1, 3, EdgeReason::kProgramOrder)) << "one transaction";
}

}  // namespace
}  // namespace isosan::test
