// What a finding carries: Fig. 2's three places, the lockset history, deduplication, statistics.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "unit/atomizer/verdicts.h"

namespace isosan::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<std::string> roles_of(const Finding& finding) {
  std::vector<std::string> roles;
  for (const FindingStep& step : finding.steps) roles.push_back(step.role);
  return roles;
}

TEST(Report, HasTheThreePlacesOfFig2) {
  const Trace trace = trace_of(
      "T1|acq(m) T1|rel(m) T0|acq(m) T0|rel(m) T1|acq(m) T1|rel(m)"
      " T0|acq(n) T0|begin(f) T0|acq(m) T0|rel(m) T0|acq(m) T0|rel(m) T0|end(f)");
  const std::vector<Finding> findings = findings_of(trace, any_handover());
  ASSERT_EQ(findings.size(), 1u);
  const Finding& finding = findings[0];
  EXPECT_EQ(finding.analysis, "atomizer");
  EXPECT_EQ(finding.kind, FindingKind::kNotReducible);
  EXPECT_THAT(roles_of(finding),
              ElementsAre("region entered", "region commits at", "violation at"));
  EXPECT_EQ(finding.steps[0].where.ordinal, 7u);
  EXPECT_EQ(finding.steps[1].where.ordinal, 9u);
  EXPECT_EQ(finding.steps[2].where.ordinal, 10u);
  EXPECT_EQ(finding.steps[2].operation, Kind::kAcquire);
  EXPECT_EQ(finding.steps[2].address, address_in(trace, "m"));
  EXPECT_THAT(finding.steps[2].locks, ElementsAre(address_in(trace, "n")));
  ASSERT_EQ(finding.transactions.size(), 1u);
  EXPECT_TRUE(finding.transactions[0].blamed);
  EXPECT_EQ(finding.transactions[0].begin.ordinal, 7u);
  EXPECT_THAT(finding.message, HasSubstr("another thread can take the lock"));
}

TEST(Report, TellsWhoTookTheLastCandidateLockAway) {
  const Trace trace = trace_of(
      "T0|w(x) T1|w(x) T0|acq(m) T0|w(x) T0|rel(m) T2|w(x)"
      " T0|begin(f) T0|r(x) T0|w(x) T0|end(f)");
  const std::vector<Finding> findings = findings_of(trace, any_handover());
  ASSERT_EQ(findings.size(), 1u);
  const Finding& finding = findings[0];
  EXPECT_THAT(roles_of(finding),
              ElementsAre("region entered", "region commits at", "violation at",
                          "taken over by a second thread at", "shared since",
                          "last common lock lost at", "last common lock of its writes lost at"));
  const FindingStep& lost = finding.steps[5];
  EXPECT_EQ(lost.where.ordinal, 5u);
  EXPECT_EQ(lost.where.thread, ThreadId{2});
  EXPECT_EQ(finding.transactions[lost.transaction].thread, ThreadId{2});
  EXPECT_THAT(finding.steps[4].locks, ElementsAre(address_in(trace, "m")));
  ASSERT_EQ(finding.notes.size(), 4u);
  EXPECT_EQ(finding.notes[2],
            "@{step 1}: until then @{at 4160} was held at every access; "
            "thread @{thread 2} accessed it holding no lock");
  EXPECT_THAT(finding.message, HasSubstr("another thread can change the value just read"));
}

TEST(Report, ARegionThatHasOnlyReadIsNotHalfDone) {
  const std::string shared =
      "T0|w(x) T1|w(x) T0|w(x) T1|acq(m) T1|rel(m) T0|acq(m) T0|rel(m) T1|acq(m) T1|rel(m) ";
  AtomizerOptions options;
  options.second_looks = false;
  const auto message = [&](const std::string& body) {
    return findings_of(trace_of(shared + "T0|begin(f) " + body + " T0|end(f)"), options)
        .at(0)
        .message;
  };
  EXPECT_THAT(message("T0|r(x) T0|acq(m)"), HasSubstr("change the value just read"));
  EXPECT_THAT(message("T0|w(x) T0|acq(m)"), HasSubstr("see or overwrite the value just written"));
  EXPECT_THAT(message("T0|post(s) T0|acq(m)"), HasSubstr("see the region half done"));
}

TEST(Report, NamesTheLocksThatAreStillCandidates) {
  // Written under m, read without it: W = {m}, A = ∅.
  const Trace trace =
      trace_of("T0|w(x) T1|w(x) T0|acq(m) T0|w(x) T0|rel(m) T0|begin(f) T0|r(x) T0|r(x) T0|end(f)");
  const std::vector<Finding> findings = findings_of(trace, any_handover());
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_THAT(findings[0].notes.back(), HasSubstr("at every write: @{at 4160}; here: no lock"));
}

TEST(Report, SaysNothingTwice) {
  const Trace trace = trace_of("T0|w(x) T1|w(x) T2|w(x) T0|begin(f) T0|r(x) T0|w(x) T0|end(f)");
  const std::vector<Finding> findings = findings_of(trace, any_handover());
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_THAT(findings[0].notes,
              ElementsAre("@{step 1}: thread @{thread 1} took it over from its first thread",
                          "@{step 1}: shared since thread @{thread 2}'s access, which held no lock",
                          "@{step 1}: its first write since it is shared, by thread @{thread 2}, "
                          "held no lock"));
  ASSERT_EQ(findings[0].transactions.size(), 3u) << "f, and one for each thread of the history";
  EXPECT_FALSE(findings[0].transactions[2].region_known);
  EXPECT_EQ(findings[0].transactions[2].thread, ThreadId{2});
}

// Every event of these traces has its own site; a loop is events with the same sites.
TEST(Report, IsMadeOncePerRegionAndPairOfSites) {
  Trace trace = trace_of(
      "T0|w(x) T1|w(x) T0|w(x) T0|begin(f) T0|r(x) T0|w(x) T0|end(f)"
      " T0|begin(f) T0|r(x) T0|w(x) T0|end(f) T0|begin(g) T0|r(x) T0|w(x) T0|end(g)");
  for (const std::size_t start : {7u, 11u}) {
    for (std::size_t i = 0; i < 4; ++i) trace.events[start + i].site = trace.events[3 + i].site;
  }
  const std::vector<Finding> findings = findings_of(trace, any_handover());
  ASSERT_EQ(findings.size(), 2u) << "f once, g once";
  EXPECT_EQ(findings[0].times, 2u);
  EXPECT_EQ(findings[1].times, 1u);
  EXPECT_NE(findings[0].key, findings[1].key);
}

TEST(Report, TracesWithoutSitesAreToldApartByAddress) {
  Trace trace = trace_of(
      "T0|w(x) T1|w(x) T0|w(x) T0|w(y) T1|w(y) T0|w(y) T0|begin(f) T0|r(x) T0|w(x) T0|end(f)"
      " T0|begin(f) T0|r(x) T0|w(x) T0|end(f) T0|begin(f) T0|r(y) T0|w(y) T0|end(f)");
  for (Event& e : trace.events) e.site = kNoSite;
  EXPECT_EQ(findings_of(trace, any_handover()).size(), 2u);
}

TEST(Report, AfterAViolationTheNextWindowIsShown) {
  EXPECT_EQ(verdicts("T0|w(x) T1|w(x) T0|w(x) T0|begin(f) T0|r(x) T0|r(x) T0|r(x) T0|end(f)"),
            (Verdicts{"f 4->5", "f 5->6"}));
}

TEST(Report, StatsAreTheColumnsOfFig16) {
  const Trace trace = trace_of(
      "T0|w(x) T1|w(x) T0|acq(m) T0|acq(n) T0|w(x) T0|rel(n) T0|rel(m) T0|begin(g) T0|end(g)"
      " T1|begin(f) T1|r(x) T1|w(x) T1|end(f) T1|w(y) T0|w(y) T1|begin(g) T1|r(y) T1|end(g)");
  FindingSink sink;
  Atomizer atomizer(sink, any_handover());
  feed(atomizer, trace.events, 0);
  std::map<std::string, std::uint64_t> stats;
  for (const Stat& stat : atomizer.stats()) stats[stat.name] = stat.value;
  EXPECT_EQ(stats["threads"], 2u);
  EXPECT_EQ(stats["locks"], 2u);
  EXPECT_EQ(stats["most_locks_held"], 2u);
  EXPECT_EQ(stats["lock_set_pairs"], 4u);  // ({m,n},{m,n}), (∅,{m,n}), (∅,∅), (∅,all)
  EXPECT_EQ(stats["regions_exercised"], 2u);
  EXPECT_EQ(stats["regions_warned"], 1u);
  EXPECT_EQ(stats["warnings"], 1u);
  EXPECT_EQ(stats["racy_sites"], 3u);
  EXPECT_EQ(stats["racy_sites_not_reported"], 1u) << "the read of y in g is a benign race";
}

}  // namespace
}  // namespace isosan::test
