// A look is a read that is a non-mover. One that is taken again, by compare-exchange or under the
// lock, counts from there (phases.h).
#include <gtest/gtest.h>

#include "unit/atomizer/verdicts.h"

namespace isosan::test {
namespace {

// x and y are used by three threads without a lock; p is written under m and read without: a read
// is a non-mover unless m is held. 18 events.
const std::string kShared =
    "T0|aload.seq_cst(x) T1|astore.seq_cst(x) T2|astore.seq_cst(x) "
    "T0|aload.seq_cst(y) T1|astore.seq_cst(y) T2|astore.seq_cst(y) "
    "T0|acq(m) T0|w(p) T0|rel(m) T1|acq(m) T1|w(p) T1|rel(m) T2|acq(m) T2|w(p) T2|rel(m) "
    "T0|r(p) T1|r(p) T2|r(p) ";
const std::string kLook = "T0|aload.seq_cst(x) ", kExchange = "T0|armw.cas(x) ";
const Verdicts kNothing{};

std::string region(const std::string& body) {
  return kShared + "T0|begin(f) " + body + "T0|end(f)";
}
Verdicts with(const std::string& text) {
  return verdicts(text, papers_and({&AtomizerOptions::second_looks}));
}
Verdicts without(const std::string& text) { return verdicts(text, papers_and({})); }

TEST(SecondLooks, ByCompareExchange) {
  EXPECT_EQ(with(region(kLook + kExchange)), kNothing);
  EXPECT_EQ(without(region(kLook + kExchange)), Verdicts{"f 19->20"});
}

TEST(SecondLooks, EachLostTryLooksAgain) {
  EXPECT_EQ(with(region(kLook + "T0|aload.cas(x) T0|aload.cas_relaxed(x) " + kExchange)), kNothing);
}

TEST(SecondLooks, TheExchangeIsANonMoverItself) {
  EXPECT_EQ(with(region(kLook + kExchange + kExchange)), Verdicts{"f 20->21"})
      << "done is done: only a look can be taken again";
  EXPECT_EQ(with(region("T0|astore.seq_cst(y) " + kLook + kExchange)), (Verdicts{"f 19->20"}))
      << "what came before it is a window all the same";
}

TEST(SecondLooks, NotByAnUpdateThatDoesNotCompare) {
  EXPECT_EQ(with(region(kLook + "T0|armw.seq_cst(x) ")), Verdicts{"f 19->20"});
  EXPECT_EQ(with(region(kLook + "T0|astore.seq_cst(x) ")), Verdicts{"f 19->20"});
}

TEST(SecondLooks, NotByASecondRead) {
  EXPECT_EQ(with(region(kLook + kLook)), Verdicts{"f 19->20"});
  EXPECT_EQ(with(region(kLook + kLook + kExchange)), Verdicts{"f 19->20"});
}

TEST(SecondLooks, NotOfOtherBytes) {
  EXPECT_EQ(with(region(kLook + "T0|armw.cas(y) ")), Verdicts{"f 19->20"});
  EXPECT_EQ(with(region(kLook + "T0|armw.cas(x:4) ")), Verdicts{"f 19->20"});
}

TEST(SecondLooks, NotAcrossSomethingElse) {
  EXPECT_EQ(with(region(kLook + "T0|aload.seq_cst(y) " + kExchange)),
            (Verdicts{"f 19->20", "f 20->21"}))
      << "what is read in between is not looked at again: ABA";
  EXPECT_EQ(with(region(kLook + "T0|post(s) " + kExchange)), Verdicts{"f 19->21"});
}

TEST(SecondLooks, NotAcrossAReadOfWhatOthersUse) {
  const std::string share_n = "T0|w(next) T1|r(next) T2|r(next) T0|r(next) ";
  EXPECT_EQ(with(share_n + region(kLook + "T0|r(next) " + kExchange)), Verdicts{"f 23->25"})
      << "a both-mover, but it may have been read before the exchange's look was true: ABA";
  EXPECT_EQ(with(region(kLook + "T0|r(own) T0|w(own) " + kExchange)), kNothing);
}

TEST(SecondLooks, UnderTheLock) {
  const std::string text = region("T0|r(p) T0|acq(m) T0|r(p) T0|w(p) T0|r(p) T0|rel(m) ");
  EXPECT_EQ(with(text), kNothing);
  EXPECT_EQ(without(text), Verdicts{"f 19->20"});
}

TEST(SecondLooks, UnderTheLockButTooLate) {
  EXPECT_EQ(with(region("T0|r(p) T0|acq(m) T0|w(p) T0|r(p) T0|rel(m) ")), Verdicts{"f 19->20"})
      << "written before it is looked at again";
  const std::string share_q =
      "T0|acq(m) T0|w(q) T0|rel(m) T1|acq(m) T1|w(q) T1|rel(m) T2|acq(m) T2|w(q) T2|rel(m) ";
  EXPECT_EQ(with(share_q + region("T0|r(p) T0|acq(m) T0|w(q) T0|r(p) T0|rel(m) ")),
            Verdicts{"f 28->29"})
      << "something else of the lock's is written";
  EXPECT_EQ(with(region("T0|r(p) T0|acq(m) T0|w(own) T0|r(p) T0|rel(m) ")), kNothing)
      << "what is its own is nobody's business";
}

TEST(SecondLooks, NeverUnderTheLock) {
  EXPECT_EQ(with(region("T0|r(p) T0|acq(m) T0|rel(m) ")), Verdicts{"f 19->20"});
  EXPECT_EQ(with(region("T0|r(p) T0|acq(m) ")), Verdicts{"f 19->20"}) << "the region ends";
  EXPECT_EQ(with(kShared + "T0|begin(f) T0|r(p) T0|acq(m) T0|exit"), Verdicts{"f 19->20"});
  EXPECT_EQ(with(region("T0|r(p) T0|acq(n) T0|r(p) ")), Verdicts{"f 19->21"})
      << "n is its own; the second read is no better than the first";
}

TEST(SecondLooks, EachRegionForItself) {
  EXPECT_EQ(
      with(kShared + "T0|begin(f) T0|r(p) T0|begin(g) T0|acq(m) T0|rel(m) T0|end(g) T0|end(f)"),
      Verdicts{"f 19->21"})
      << "g did not look before";
  EXPECT_EQ(with(kShared + "T0|begin(f) T0|begin(g) T0|r(p) T0|acq(m) T0|end(g) T0|r(p) T0|end(f)"),
            Verdicts{"g 20->21"})
      << "f looked again, g had ended";
}

// Compilers copy the start of a loop.
TEST(Rounds, OfOneProgramPointWithTwoSites) {
  Trace trace = trace_of(region(kLook + kLook + kLook));
  trace.tables.sites.assign(3, {.file = "spin.c", .line = 1});
  trace.tables.sites[0] = {};
  trace.tables.sites[2].line = 2;
  trace.events[19].site = SiteId{1};
  trace.events[20].site = trace.events[21].site = SiteId{2};
  AtomizerOptions options;
  options.tables = &trace.tables;
  EXPECT_EQ(verdicts_of(trace, options), Verdicts{"f 19->20"}) << "two places, two looks";
  trace.tables.sites[2].line = 1;
  EXPECT_EQ(verdicts_of(trace, options), kNothing);
}

}  // namespace
}  // namespace isosan::test
