// Starting a thread that the region itself joins, and that did more than both-movers, cuts the
// region in two (deferred_windows.h).
#include <gtest/gtest.h>

#include "unit/atomizer/verdicts.h"

namespace isosan::test {
namespace {

// m is shared by T0, T8 and T9, so that its operations are no both-movers. 6 events.
const std::string kShared = "T0|acq(m) T0|rel(m) T8|acq(m) T8|rel(m) T9|acq(m) T9|rel(m) ";
const std::string kLoud = "T1|acq(m) T1|rel(m) ", kOnce = "T0|acq(m) T0|rel(m) ";
const Verdicts kNothing{};

std::string region(const std::string& body) {
  return kShared + "T0|begin(f) " + body + "T0|end(f)";
}
Verdicts with(const std::string& text) {
  return verdicts(text,
                  papers_and({&AtomizerOptions::quiet_threads, &AtomizerOptions::split_at_join,
                              &AtomizerOptions::split_at_fork}));
}
Verdicts without(const std::string& text) {
  return verdicts(text,
                  papers_and({&AtomizerOptions::quiet_threads, &AtomizerOptions::split_at_join}));
}

TEST(SplitAtFork, AThreadThatTheRegionJoins) {
  const std::string text = region(kOnce + "T0|fork(T1) " + kLoud + kOnce + "T0|join(T1) ");
  EXPECT_EQ(with(text), kNothing);
  EXPECT_EQ(without(text), Verdicts{"f 8->12"});
}

TEST(SplitAtFork, TheForkItselfIsNoWindow) {
  const std::string text = region("T0|fork(T1) " + kLoud + kOnce + "T0|join(T1) ");
  EXPECT_EQ(with(text), kNothing);
  EXPECT_EQ(without(text), Verdicts{"f 7->10"});
}

TEST(SplitAtFork, NotIfItIsNeverJoined) {
  EXPECT_EQ(with(region(kOnce + "T0|fork(T1) " + kLoud + kOnce)), Verdicts{"f 8->12"});
  EXPECT_EQ(with(kShared + "T0|begin(f) T0|fork(T1) " + kOnce), Verdicts{"f 7->8"})
      << "the trace ends";
  EXPECT_EQ(with(kShared + "T0|begin(f) T0|fork(T1) " + kOnce + "T0|exit"), Verdicts{"f 7->8"});
}

TEST(SplitAtFork, NotIfItIsJoinedAfterTheRegion) {
  EXPECT_EQ(with(region("T0|fork(T1) " + kLoud + kOnce) + " T0|join(T1)"), Verdicts{"f 7->10"});
}

TEST(SplitAtFork, NotIfSomebodyElseJoinsIt) {
  EXPECT_EQ(with(region("T0|fork(T1) " + kLoud + kOnce + "T9|join(T1) ")), Verdicts{"f 7->10"});
}

TEST(SplitAtFork, NotIfAnotherThreadIsJoined) {
  EXPECT_EQ(
      with("T0|fork(T2) T2|post(s) " + region("T0|fork(T1) " + kLoud + kOnce + "T0|join(T2) ")),
      Verdicts{"f 9->12"});
}

TEST(SplitAtFork, NotIfItWasQuiet) {
  EXPECT_EQ(with(region("T0|fork(T1) T1|w(x) " + kOnce + "T0|join(T1) ")), Verdicts{"f 7->9"});
  EXPECT_EQ(with(region("T0|fork(T1) T0|join(T1) " + kOnce)), Verdicts{"f 7->9"})
      << "it is joined before the window";
}

TEST(SplitAtFork, EachPartIsJudged) {
  const std::string fork = "T0|fork(T1) " + kLoud, join = "T0|join(T1) ";
  EXPECT_EQ(with(region(kOnce + kOnce + fork + join)), Verdicts{"f 8->9"});
  EXPECT_EQ(with(region(fork + kOnce + kOnce + join)), Verdicts{"f 11->12"});
  EXPECT_EQ(with(region("T0|acq(m) " + fork + "T0|rel(m) T0|acq(m) T0|rel(m) " + join)),
            Verdicts{"f 11->12"})
      << "a release after the fork is where the second part commits";
}

TEST(SplitAtFork, ASecondForkIsALeftMoverOfTheSecondPart) {
  const std::string forks = "T0|fork(T1) T0|fork(T2) " + kLoud + "T2|acq(m) T2|rel(m) " + kOnce;
  EXPECT_EQ(with(region(forks + "T0|join(T1) T0|join(T2) ")), kNothing);
  EXPECT_EQ(with(region(forks + "T0|join(T2) ")), kNothing);
  EXPECT_EQ(with(region(forks + "T0|join(T1) ")), Verdicts{"f 8->13"});
}

TEST(SplitAtFork, EachRegionForItself) {
  EXPECT_EQ(with(kShared + "T0|begin(f) T0|begin(g) T0|fork(T1) " + kLoud + kOnce +
                 "T0|end(g) T0|join(T1) T0|end(f)"),
            Verdicts{"g 8->11"})
      << "g does not join it, f does";
}

TEST(SplitAtFork, WithoutSplitAtJoinTheJoinIsAWindow) {
  EXPECT_EQ(verdicts(region("T0|fork(T1) " + kLoud + "T0|join(T1) "),
                     papers_and({&AtomizerOptions::split_at_fork})),
            Verdicts{"f 7->10"});
}

TEST(SplitAtFork, WhatIsHeldBackIsBounded) {
  std::string body;
  for (int child = 10; child < 80; ++child)
    body += "T0|fork(T" + std::to_string(child) + ") " + kOnce;
  const Trace trace = trace_of(kShared + "T0|begin(f) " + body);
  FindingSink sink;
  Atomizer atomizer(sink, papers_and({&AtomizerOptions::split_at_fork}));
  feed(atomizer, trace.events, 0);
  EXPECT_GT(sink.findings().size(), 0u) << "a region that never ends is not silent";
  atomizer.finish();
  EXPECT_EQ(sink.findings().size(), 70u);
}

}  // namespace
}  // namespace isosan::test
