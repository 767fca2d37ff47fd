// A window is told of the innermost region that has it; windows that are not the same are told of
// each region.
#include <gtest/gtest.h>

#include "unit/atomizer/verdicts.h"

namespace isosan::test {
namespace {

// m is shared by T0, T8 and T9; p is written under m and read without. 12 events.
const std::string kShared =
    "T0|acq(m) T0|w(p) T0|rel(m) T8|acq(m) T8|w(p) T8|rel(m) T9|acq(m) T9|w(p) T9|rel(m) "
    "T0|r(p) T8|r(p) T9|r(p) ";
const std::string kOnce = "T0|acq(m) T0|rel(m) ";

Verdicts with(const std::string& text) {
  return verdicts(kShared + text, papers_and({&AtomizerOptions::innermost}));
}
Verdicts without(const std::string& text) { return verdicts(kShared + text, papers_and({})); }

TEST(Innermost, AWindowOfANestedRegionIsThatOnes) {
  const std::string text = "T0|begin(f) T0|begin(g) " + kOnce + kOnce + "T0|end(g) T0|end(f)";
  EXPECT_EQ(with(text), Verdicts{"g 15->16"});
  EXPECT_EQ(without(text), (Verdicts{"g 15->16", "f 15->16"}));
}

TEST(Innermost, AWindowBetweenNestedRegionsIsTheOuterOnes) {
  EXPECT_EQ(with("T0|begin(f) T0|begin(g) " + kOnce + "T0|end(g) T0|begin(g) " + kOnce +
                 "T0|end(g) T0|end(f)"),
            Verdicts{"f 15->18"});
}

TEST(Innermost, AWindowThatBeginsBeforeTheNestedRegionIsTheOuterOnes) {
  EXPECT_EQ(with("T0|begin(f) " + kOnce + "T0|begin(g) " + kOnce + "T0|end(g) T0|end(f)"),
            Verdicts{"f 14->16"});
  EXPECT_EQ(with("T0|begin(f) " + kOnce + "T0|begin(g) " + kOnce + kOnce + "T0|end(g) T0|end(f)"),
            (Verdicts{"f 14->16", "g 17->18"}))
      << "two windows";
}

TEST(Innermost, WindowsThatEndTogetherAreTwo) {
  EXPECT_EQ(with("T0|begin(f) T0|r(p) T0|begin(g) T0|rel(n) T0|acq(m) T0|end(g) T0|end(f)"),
            (Verdicts{"g 15->16", "f 13->16"}));
}

TEST(Innermost, OfThoseThatAreJudged) {
  AtomizerOptions options = papers_and({&AtomizerOptions::innermost});
  const Trace trace = trace_of(kShared +
                               "T0|begin(f) T0|begin(g) T0|acq(m) T0|wait(c) T0|rel(m) T0|acq(m) "
                               "T0|woken(c) T0|rel(m) T0|end(g) T0|end(f)");
  EXPECT_EQ(verdicts_of(trace, options), Verdicts{"g 16->17"});
  options.split_at_wait.insert(static_cast<RegionId>(trace.events[13].size));
  EXPECT_EQ(verdicts_of(trace, options), Verdicts{"f 16->17"})
      << "g is split at the wait, f is not";
}

TEST(Innermost, ASuppressedRegionHidesNone) {
  AtomizerOptions options = papers_and({&AtomizerOptions::innermost});
  const Trace trace = trace_of(kShared + "T0|begin(f) T0|begin(g) T0|begin(h) " + kOnce + kOnce +
                               "T0|end(h) T0|end(g) T0|end(f)");
  const auto inner = static_cast<RegionId>(trace.events[14].size);
  options.is_suppressed = [inner](RegionId region) { return region == inner; };
  EXPECT_EQ(verdicts_of(trace, options), (Verdicts{"h 16->17", "g 16->17"}))
      << "h is left out of the report, g is the innermost that is not; f is hidden by it";
}

TEST(Innermost, ALookThatIsNotTakenAgain) {
  const AtomizerOptions options =
      papers_and({&AtomizerOptions::innermost, &AtomizerOptions::second_looks});
  EXPECT_EQ(verdicts(kShared + "T0|begin(f) T0|begin(g) T0|r(p) T0|acq(m) T0|end(g) T0|rel(m) "
                               "T0|end(f)",
                     options),
            Verdicts{"g 14->15"})
      << "g ends without; for f it is the same window";
}

}  // namespace
}  // namespace isosan::test
