#include "oracle/happens_before_oracle.h"

#include <gtest/gtest.h>

#include "oracle/trace_builder.h"

namespace isosan::test {
namespace {

std::size_t races(std::string_view text) {
  return HappensBeforeOracle(parse_trace(text).events).races().size();
}

TEST(HappensBeforeOracle, PlainRaces) {
  EXPECT_EQ(races("T0|w(x)\nT1|w(x)\n"), 1u);
  EXPECT_EQ(races("T0|r(x)\nT1|r(x)\n"), 0u);
  EXPECT_EQ(races("T0|w(x)\nT1|r(x)\nT2|r(x)\n"), 2u);
  EXPECT_EQ(races("T0|w(x:4)\nT1|w(x+4:4)\n"), 0u);
  EXPECT_EQ(races("T0|w(x)\nT1|alloc(x)\nT1|w(x)\n"), 0u) << "new location";
  EXPECT_EQ(races("T0|w(x)\nT1|free(x)\nT1|w(x)\n"), 1u) << "free is a write";
  EXPECT_EQ(races("T0|alloc(x)\nT1|r(x)\n"), 1u) << "so is allocate, for what comes later";
}

TEST(HappensBeforeOracle, ObjectsAreUsed) {
  EXPECT_EQ(races("T0|w(l)\nT0|acq(l)\nT0|rel(l)\nT1|acq(l)\n"), 1u) << "before it is ordered";
  EXPECT_EQ(races("T0|acq(l)\nT0|rel(l)\nT1|acq(l)\nT1|rel(l)\nT1|free(l)\n"), 0u);
}

TEST(HappensBeforeOracle, LocksForkJoin) {
  EXPECT_EQ(races("T0|acq(l)\nT0|w(x)\nT0|rel(l)\nT1|acq(l)\nT1|w(x)\nT1|rel(l)\n"), 0u);
  EXPECT_EQ(races("T0|acq(l)\nT0|rel(l)\nT0|w(x)\nT1|acq(l)\nT1|w(x)\nT1|rel(l)\n"), 1u);
  EXPECT_EQ(races("T0|acq.shared(l)\nT0|w(x)\nT0|rel.shared(l)\nT1|acq.shared(l)\nT1|w(x)\n"), 1u);
  EXPECT_EQ(races("T0|w(x)\nT0|fork(T1)\nT1|w(x)\nT0|join(T1)\nT0|w(x)\n"), 0u);
  EXPECT_EQ(races("T0|fork(T1)\nT0|w(x)\nT1|w(x)\n"), 1u);
}

TEST(HappensBeforeOracle, ReleaseAndAcquire) {
  EXPECT_EQ(races("T0|w(x)\nT0|astore.release(a)\nT1|aload.acquire(a)\nT1|w(x)\n"), 0u);
  EXPECT_EQ(races("T0|w(x)\nT0|astore.relaxed(a)\nT1|aload.acquire(a)\nT1|w(x)\n"), 1u);
  EXPECT_EQ(races("T0|w(x)\nT0|astore.release(a)\nT1|aload.relaxed(a)\nT1|w(x)\n"), 1u);
  EXPECT_EQ(races("T0|astore.relaxed(a)\nT1|aload.relaxed(a)\n"), 0u) << "atomics do not race";
  EXPECT_EQ(races("T0|astore.relaxed(a)\nT1|r(a)\n"), 1u) << "with a plain access they do";
}

TEST(HappensBeforeOracle, ReleaseSequences) {
  const char* head = "T0|w(x)\nT0|astore.release(a)\n";
  const char* tail = "T1|aload.acquire(a)\nT1|w(x)\n";
  const auto with = [&](const std::string& middle) { return races(head + middle + tail); };
  EXPECT_EQ(with("T2|armw.relaxed(a)\n"), 0u) << "continued";
  EXPECT_EQ(with("T2|astore.relaxed(a)\n"), 1u) << "ended";
  EXPECT_EQ(with("T0|astore.relaxed(a)\n"), 1u) << "ended, also by its own thread (C++20)";
}

TEST(HappensBeforeOracle, Fences) {
  EXPECT_EQ(races("T0|w(x)\nT0|fence.release\nT0|astore.relaxed(a)\n"
                  "T1|aload.relaxed(a)\nT1|fence.acquire\nT1|w(x)\n"),
            0u);
  EXPECT_EQ(races("T0|w(x)\nT0|fence.acquire\nT0|astore.relaxed(a)\n"
                  "T1|aload.relaxed(a)\nT1|fence.acquire\nT1|w(x)\n"),
            1u);
  EXPECT_EQ(races("T0|fence.release\nT0|w(x)\nT0|astore.relaxed(a)\n"
                  "T1|aload.relaxed(a)\nT1|fence.acquire\nT1|w(x)\n"),
            1u)
      << "the write comes after the fence";
}

TEST(HappensBeforeOracle, TellsTheBytes) {
  const Trace t = parse_trace("T0|w(x:4)\nT1|w(x+2:4)\n");
  const Address x = t.events[0].address;
  EXPECT_EQ(HappensBeforeOracle(t.events).racing_bytes(0, 1), (std::vector{x + 2, x + 3}));
}

}  // namespace
}  // namespace isosan::test
