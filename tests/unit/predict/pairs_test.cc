// Two locations that belong together: when they do, and which schedules see them apart.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "oracle/trace_builder.h"
#include "predict/predictor.h"

namespace isosan::test {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;

// "2W 1#0 2#0 1#1": pattern, then thread and operation of e1, f and e2.
std::vector<std::string> pairs(const std::string& text, bool threads_are_regions = true) {
  const Trace trace = parse_trace(text);
  Predictor predictor(trace.tables,
                      {.threads_are_regions = threads_are_regions, .reversals = false});
  predictor.feed(trace.events);
  std::vector<std::string> result;
  for (const Prediction& p : predictor.predictions({})) {
    if (!is_pair(p.pattern)) continue;
    result.emplace_back(name_of(p.pattern));
    for (const PredictedOperation& o : p.operations)
      result.back() += " " + std::to_string(index(o.thread)) + "#" + std::to_string(o.index);
  }
  return result;
}

TEST(PredictPairs, TwoWritersLeaveHalfOfEach) {
  EXPECT_THAT(pairs("T1|w(x)\nT1|w(y)\nT2|w(x)\nT2|w(y)\n"),
              testing::UnorderedElementsAre("2W 1#0 2#0 1#1", "2W 2#0 1#0 2#1"));
}
TEST(PredictPairs, AReaderSeesAnOldAndANewOne) {
  EXPECT_THAT(pairs("T1|w(x)\nT1|w(y)\nT2|r(x)\nT2|r(y)\n"),
              testing::UnorderedElementsAre("2R 1#0 2#0 1#1", "2W 2#0 1#0 2#1"));
}
TEST(PredictPairs, ReadersAloneAreNone) {
  EXPECT_THAT(pairs("T1|r(x)\nT1|r(y)\nT2|r(x)\nT2|r(y)\nT3|w(z)\n"), IsEmpty());
}
TEST(PredictPairs, BothFieldsInOneWordAreTwoLocations) {
  EXPECT_THAT(pairs("T1|w(x+0:4)\nT1|w(x+4:4)\nT2|r(x+0:4)\nT2|r(x+4:4)\n"),
              Contains("2R 1#0 2#0 1#1"));
}
TEST(PredictPairs, AnAccessOfBothAtOnceComesBetweenButHasNoBetween) {
  EXPECT_THAT(pairs("T1|w(x+0:4)\nT1|w(x+4:4)\nT2|r(x+0:8)\n"), ElementsAre("2R 1#0 2#0 1#1"));
}
TEST(PredictPairs, EachUnderItsOwnLock) {
  const std::string move = "|acq(m)\n|w(x)\n|rel(m)\n|acq(n)\n|w(y)\n|rel(n)\n";
  std::string text;
  for (const std::string thread : {"T1", "T2"}) {
    for (const char c : move) text += c == '|' ? thread + "|" : std::string(1, c);
  }
  EXPECT_THAT(pairs(text), testing::UnorderedElementsAre("2W 1#1 2#1 1#4", "2W 2#1 1#1 2#4"));
}
TEST(PredictPairs, OneLockAroundBothKeepsThemTogether) {
  EXPECT_THAT(pairs("T1|acq(m)\nT1|w(x)\nT1|w(y)\nT1|rel(m)\n"
                    "T2|acq(m)\nT2|w(x)\nT2|w(y)\nT2|rel(m)\n"),
              IsEmpty());
}
TEST(PredictPairs, WhatIsUsedTogetherInFewRegionsDoesNotBelongTogether) {
  const auto region = [](const std::string& thread, const std::string& accesses) {
    return thread + "|begin(f)\n" + accesses + thread + "|end(f)\n";
  };
  const std::string both1 = region("T1", "T1|w(x)\nT1|w(y)\n");
  const std::string both2 = region("T2", "T2|w(x)\nT2|w(y)\n");
  EXPECT_THAT(pairs(both1 + both2, false),
              testing::UnorderedElementsAre("2W 1#0 2#0 1#1", "2W 2#0 1#0 2#1"));
  std::string alone;
  for (int i = 0; i < 3; ++i) alone += region("T1", "T1|w(x)\n");
  EXPECT_THAT(pairs(alone + both1 + both2, false), IsEmpty());
}

}  // namespace
}  // namespace isosan::test
