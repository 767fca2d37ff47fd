// Joining a thread that did more than both-movers cuts every region in two: nobody who waits for a
// thread's end expects to be alone until then. Fork stays a left-mover.
#include <gtest/gtest.h>

#include "unit/atomizer/verdicts.h"

namespace isosan::test {
namespace {

// m is shared by T0, T8 and T9, so that its operations are no both-movers. 6 events.
const std::string kShared = "T0|acq(m) T0|rel(m) T8|acq(m) T8|rel(m) T9|acq(m) T9|rel(m) ";
const std::string kLoud = "T1|acq(m) T1|rel(m) ";
const std::string kTwice = "T0|acq(m) T0|rel(m) T0|acq(m) T0|rel(m) ";

Verdicts with(const std::string& text) {
  return verdicts(text,
                  papers_and({&AtomizerOptions::quiet_threads, &AtomizerOptions::split_at_join}));
}
Verdicts without(const std::string& text) {
  return verdicts(text, papers_and({&AtomizerOptions::quiet_threads}));
}

TEST(SplitAtJoin, AThreadThatTheRegionStarted) {
  const std::string text = kShared + "T0|begin(f) T0|fork(T1) " + kLoud + "T0|join(T1) T0|end(f)";
  EXPECT_EQ(with(text), Verdicts{});
  EXPECT_EQ(without(text), Verdicts{"f 7->10"});
}

TEST(SplitAtJoin, AThreadThatWasThereBefore) {
  const std::string text =
      "T0|fork(T1) " + kShared + "T0|begin(f) T0|acq(m) T0|rel(m) " + kLoud + "T0|join(T1)";
  EXPECT_EQ(with(text), Verdicts{});
  EXPECT_EQ(without(text), Verdicts{"f 9->12"});
}

TEST(SplitAtJoin, EachPartIsJudged) {
  const std::string fork = "T0|begin(f) T0|fork(T1) " + kLoud, join = "T0|join(T1) ";
  EXPECT_EQ(with(kShared + fork + join + kTwice + "T0|end(f)"), Verdicts{"f 12->13"});
  EXPECT_EQ(with(kShared + fork + kTwice + join + "T0|end(f)"), (Verdicts{"f 7->10", "f 11->12"}))
      << "the fork is a left-mover";
  EXPECT_EQ(with(kShared + fork + join + "T0|acq(m) T0|rel(m) T0|end(f)"), Verdicts{});
}

TEST(SplitAtJoin, NotWhereTheJoinIsABothMover) {
  EXPECT_EQ(with(kShared + "T0|begin(f) T0|acq(m) T0|rel(m) T0|fork(T1) T0|join(T1) T0|acq(m)"),
            Verdicts{"f 8->11"})
      << "a quiet thread hides no window";
}

TEST(SplitAtJoin, StrictHasNone) {
  const AtomizerOptions options = AtomizerOptions::strict(AtomizerOptions::RaceRule::kWrong);
  EXPECT_EQ(verdicts("T0|begin(f) T0|fork(T1) T0|join(T1)", options), Verdicts{"f 1->2"});
}

}  // namespace
}  // namespace isosan::test
