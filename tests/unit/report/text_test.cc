#include "report/text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "report/kinds.h"
#include "unit/report/samples.h"

namespace isosan {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(TextReport, ShowsACycleAtAGlance) {
  EXPECT_EQ(text_report(samples::torn_deposit(), samples::bank_tables(), Colour::kNever),
            R"(==================
WARNING: IsoSan: atomicity violation (region Account::deposit) [velodrome]
  Transactions:
    Account::deposit (T1), begun at bank.cc:10, still running  <== blamed
    thread auditor, outside every region

  What happened, in this order:
       T1                         auditor
       begin Account::deposit                       Account::deposit bank.cc:10
    1  | read balance                               Account::deposit bank.cc:11:7
    2  |                          write balance     audit bank.cc:20
    3  | write balance                              Account::deposit bank.cc:12

  Dependences:
    [1] -> [2]  Account::deposit (T1) before thread auditor: read balance, then write balance (data)
    [2] -> [3]  thread auditor before Account::deposit (T1): write balance, then write balance (data)

  No serial order explains this run: Account::deposit (T1) must come before thread auditor ([1] before [2]), and thread auditor before Account::deposit (T1) ([2] before [3]).

  [1] read balance by thread T1:
    #0 Account::deposit bank.cc:11:7
    #1 main bank.cc:30

  [3] write balance by thread T1:
    #0 Account::deposit bank.cc:12
    #1 main bank.cc:30

==================
)");
}

TEST(TextReport, ShowsTheThreePlacesOfAWindow) {
  EXPECT_EQ(text_report(samples::window_in_deposit(), samples::bank_tables(), Colour::kNever),
            R"(==================
WARNING: IsoSan: region is not reducible (region Account::deposit) [atomizer]
  Account::deposit acquires a lock after it has released one.

  Transactions:
    Account::deposit (T1), begun at bank.cc:10, still running  <== blamed

  Places:
    [1] region entered     Account::deposit bank.cc:10: begin by thread T1
    [2] region commits at  Account::deposit bank.cc:11:7: release mutex by thread T1, holding mutex
    [3] violation at       Account::deposit bank.cc:12: acquire mutex by thread T1

  [1] begin by thread T1:
    #0 Account::deposit bank.cc:10
    #1 main bank.cc:30

  [2] release mutex by thread T1:
    #0 Account::deposit bank.cc:11:7
    #1 main bank.cc:30

  [3] acquire mutex by thread T1:
    #0 Account::deposit bank.cc:12
    #1 main bank.cc:30

  Note: assume_mover silences a place that is known to be harmless

==================
)");
}

TEST(TextReport, CallsWhatAMessageMentionsByItsName) {
  Finding finding = samples::window_in_deposit();
  finding.message = "it acquires " + mention_step(2) + "; a stray @{ stays";
  const ThreadId auditor{2};
  finding.notes = {mention(auditor) + " held " + mention(finding.steps[2].address)};
  finding.transactions.push_back({.thread = auditor, .region_known = false});
  const std::string text = text_report(finding, samples::bank_tables(), Colour::kNever);
  EXPECT_THAT(text, HasSubstr("  it acquires mutex; a stray @{ stays\n"));
  EXPECT_THAT(text, HasSubstr("Note: auditor held mutex\n"));
  EXPECT_THAT(text, Not(HasSubstr("outside every region"))) << "that is not known";
}

TEST(TextReport, ShowsBothSidesOfARace) {
  EXPECT_EQ(text_report(samples::race(), samples::bank_tables(), Colour::kNever),
            R"(==================
WARNING: IsoSan: data race (Account::deposit, audit) [fasttrack], seen 3 times
  Places:
    [1] previous  Account::deposit bank.cc:11:7: read balance+4 by thread T1, 4 bytes
    [2] current   audit bank.cc:20: write balance by thread auditor, 8 bytes

  Two threads use the same memory, at least one of them writes, and nothing orders the two.

  [1] read balance+4 by thread T1:
    #0 Account::deposit bank.cc:11:7
    #1 main bank.cc:30

==================
)");
}

TEST(TextReport, TellsTwoTransactionsOfOneRegionAndThreadApart) {
  Finding finding = samples::torn_deposit();
  finding.transactions.push_back(finding.transactions[0]);
  finding.transactions.back().begin.ordinal = 2;
  const std::string text = text_report(finding, samples::bank_tables(), Colour::kNever);
  EXPECT_THAT(text, HasSubstr("Account::deposit (T1) #2, begun at bank.cc:10"));
  EXPECT_THAT(text, HasSubstr("Account::deposit (T1) #1, begun at bank.cc:10"));
}

TEST(TextReport, ListsTheStepsWhereThePictureWouldBeTooWide) {
  Finding finding{.analysis = "velodrome"};
  for (std::uint32_t t = 0; t < 5; ++t) {
    finding.transactions.push_back({ThreadId{t}, RegionId{1}, {t, ThreadId{t}}});
    finding.steps.push_back({t, {10 + t, ThreadId{t}, SiteId{2}}, Kind::kWrite, 0x99, 4, "", {}});
  }
  const std::string text = text_report(finding, samples::bank_tables(), Colour::kNever);
  EXPECT_THAT(text, Not(HasSubstr("What happened, in this order")));
  EXPECT_THAT(text, HasSubstr("    [5] write 0x99 by thread T4, 4 bytes  Account::deposit bank"));
}

TEST(TextReport, NamesASetWhereTheFindingHasNoRegion) {
  const Finding finding{
      .analysis = "marathon", .kind = FindingKind::kSetViolation, .subject = "set List::items"};
  EXPECT_THAT(text_report(finding, samples::bank_tables(), Colour::kNever),
              HasSubstr("WARNING: IsoSan: atomic-set violation (set List::items) [marathon]\n"));
}

TEST(TextReport, IsColouredForATerminalOnly) {
  const auto report = [](Colour colour) {
    return text_report(samples::torn_deposit(), samples::bank_tables(), colour);
  };
  EXPECT_THAT(report(Colour::kTerminal), HasSubstr("\033[1;31mWARNING: IsoSan"));
  EXPECT_THAT(report(Colour::kNever), Not(HasSubstr("\033")));
}

TEST(TextReport, KnowsEveryKindOfFinding) {
  for (int kind = 0; kind <= static_cast<int>(FindingKind::kFailingSchedule); ++kind) {
    EXPECT_EQ(text_of(static_cast<FindingKind>(kind)).kind, static_cast<FindingKind>(kind));
  }
  EXPECT_EQ(kKindTexts.size(), static_cast<std::size_t>(FindingKind::kFailingSchedule) + 1);
}

TEST(TextReport, NeedsNothingFromTheTables) {
  const std::string text = text_report(samples::torn_deposit(), Tables{}, Colour::kNever);
  EXPECT_THAT(text, HasSubstr("(region region 1) [velodrome]"));
  EXPECT_THAT(text, HasSubstr("read 0x1000"));
}

TEST(TextSummary, CountsFindings) {
  RunRecord run;
  EXPECT_EQ(text_summary(run, Colour::kNever), "SUMMARY: IsoSan: 0 findings\n");
  run.findings.resize(1);
  EXPECT_EQ(text_summary(run, Colour::kNever), "SUMMARY: IsoSan: 1 finding\n");
  run.findings.resize(2);
  EXPECT_EQ(text_summary(run, Colour::kNever), "SUMMARY: IsoSan: 2 findings\n");
}

TEST(TextSummary, IsNotThatOfTheWholeInputIfItIsDamaged) {
  RunRecord run;
  run.error = "line 3";
  EXPECT_EQ(text_summary(run, Colour::kNever),
            "SUMMARY: IsoSan: 0 findings, up to where the input could not be read\n");
}

}  // namespace
}  // namespace isosan
