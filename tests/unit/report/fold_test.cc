#include "report/fold.h"

#include <gtest/gtest.h>

namespace isosan {
namespace {

Finding cycle(std::uint32_t blamed, std::vector<std::uint32_t> others, std::string key) {
  Finding finding;
  finding.analysis = "velodrome";
  finding.kind = FindingKind::kAtomicityViolation;
  finding.region = RegionId{blamed};
  finding.key = std::move(key);
  finding.transactions.push_back({.region = RegionId{blamed}, .blamed = true});
  for (const std::uint32_t other : others)
    finding.transactions.push_back({.region = RegionId{other}});
  return finding;
}

Tables three_regions() {
  Tables tables;
  for (const char* name : {"add", "sum", "move"}) {
    tables.regions.emplace_back();
    tables.regions.back().name = name;
  }
  return tables;
}

TEST(OnePerRegion, TheShortestCycleOfARegionStays) {
  RunRecord record;
  record.findings = {cycle(1, {2, 3}, "1,2,3"), cycle(1, {2}, "1,2"), cycle(2, {1}, "2,1")};
  record.findings[0].times = 5;
  fold_findings(record, three_regions());
  ASSERT_EQ(record.findings.size(), 2u);
  EXPECT_EQ(record.findings[0].key, "1,2");
  EXPECT_EQ(record.findings[0].times, 6u);
  EXPECT_EQ(record.findings[0].notes,
            std::vector<std::string>{
                "The region is blamed in 1 more cycle, with move, sum (--all shows each)."});
  EXPECT_EQ(record.findings[1].notes, std::vector<std::string>{});
}

TEST(OnePerRegion, OtherFindingsStay) {
  RunRecord record;
  record.findings = {cycle(0, {0}, "a"), cycle(0, {0}, "b"), cycle(1, {2}, "c"),
                     cycle(1, {3}, "d")};
  record.findings[2].kind = record.findings[3].kind = FindingKind::kNotReducible;
  fold_findings(record, three_regions());
  EXPECT_EQ(record.findings.size(), 4u) << "no region is blamed, or it is no cycle";
}

TEST(OnePerRegion, EachAnalysisHasItsOwn) {
  RunRecord record;
  record.findings = {cycle(1, {2}, "1,2"), cycle(1, {2}, "1,2")};
  record.findings[1].analysis = "aerodrome";
  fold_findings(record, three_regions());
  EXPECT_EQ(record.findings.size(), 2u);
}

TEST(Unlikely, ARegionOfUnlikelyFindingsAloneIsToldInALine) {
  RunRecord record;
  record.findings = {cycle(1, {2}, "1,2 locks"), cycle(1, {1}, "1 locks"), cycle(2, {1}, "2,1")};
  record.findings[0].unlikely = record.findings[1].unlikely = "by locks";
  fold_findings(record, three_regions());
  ASSERT_EQ(record.findings.size(), 1u);
  EXPECT_EQ(record.findings[0].key, "2,1");
  ASSERT_EQ(record.folded.size(), 1u);
  EXPECT_EQ(record.folded[0].region, "add");
  EXPECT_EQ(record.folded[0].why, "by locks");
}

TEST(Unlikely, ARegionThatIsToldIsNotFolded) {
  RunRecord record;
  record.findings = {cycle(1, {2}, "1,2 locks"), cycle(1, {2}, "1,2")};
  record.findings[0].unlikely = "by locks";
  fold_findings(record, three_regions());
  ASSERT_EQ(record.findings.size(), 1u);
  EXPECT_EQ(record.findings[0].key, "1,2");
  EXPECT_TRUE(record.folded.empty());
}

TEST(OnePerRegion, CyclesOfARegionHaveOneCause) {
  EXPECT_EQ(cause_of(cycle(1, {2}, "1,2")), cause_of(cycle(1, {3}, "1,3")));
  EXPECT_NE(cause_of(cycle(1, {2}, "1,2")), cause_of(cycle(2, {1}, "1,2")));
  EXPECT_NE(cause_of(cycle(0, {1}, "1")), cause_of(cycle(0, {2}, "2")));
}

}  // namespace
}  // namespace isosan
