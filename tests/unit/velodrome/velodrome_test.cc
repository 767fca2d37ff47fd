// What a finding of velodrome tells. That verdicts are right is shown in tests/property.
#include "analysis/velodrome/velodrome.h"

#include <gmock/gmock.h>

#include "oracle/exact_analysis.h"

namespace isosan::test {
namespace {

struct Result {
  Trace trace;
  std::vector<Finding> findings;
  Stats stats;

  std::string region(RegionId id) const { return trace.tables.regions.at(index(id)).name; }
  std::uint64_t stat(const std::string& name) const {
    for (const Stat& s : stats)
      if (s.name == name) return s.value;
    ADD_FAILURE() << "no stat " << name;
    return 0;
  }
};

Result check(Trace trace, bool sync_edges = true) {
  FindingSink sink;
  Velodrome velodrome(sink, {.sync_edges = sync_edges});
  feed(velodrome, trace.events, 0);
  velodrome.finish();
  return {std::move(trace), sink.findings(), velodrome.stats()};
}
Result check(std::string_view text, bool sync_edges = true) {
  return check(parse_trace(text), sync_edges);
}

// "1:read>2:write data", ...: the ordinals and operations of an edge's steps.
std::vector<std::string> edges_of(const Finding& f) {
  constexpr std::string_view kReasons[] = {"data", "sync", "order"};
  std::vector<std::string> edges;
  for (const FindingEdge& e : f.edges) {
    const auto text = [&](std::size_t step) {
      return std::to_string(f.steps[step].where.ordinal) + ":" +
             std::string(name_of(f.steps[step].operation));
    };
    edges.push_back(text(e.from) + ">" + text(e.to) + " " +
                    std::string(kReasons[static_cast<std::size_t>(e.reason)]));
  }
  return edges;
}

TEST(VelodromeFinding, HoldsTheWholeCycle) {
  const Result r = check(
      "T1|begin(f)\nT1|w(a)\nT2|begin(g)\nT2|r(a)\nT2|w(b)\nT2|end\n"
      "T0|begin(h)\nT0|w(c)\nT1|r(c)\nT1|end\nT0|r(b)\nT0|end\n");
  ASSERT_EQ(r.findings.size(), 1u);
  const Finding& f = r.findings[0];
  EXPECT_EQ(f.analysis, "velodrome");
  EXPECT_EQ(f.kind, FindingKind::kAtomicityViolation);
  EXPECT_EQ(r.region(f.region), "h");
  EXPECT_THAT(edges_of(f), testing::ElementsAre("7:write>8:read data", "1:write>3:read data",
                                                "4:write>10:read data"));
  ASSERT_EQ(f.transactions.size(), 3u);
  EXPECT_EQ(r.region(f.transactions[0].region), "h");
  EXPECT_EQ(f.transactions[0].begin.ordinal, 6u);
  EXPECT_FALSE(f.transactions[0].finished);
  EXPECT_TRUE(f.transactions[1].finished);
}

TEST(VelodromeFinding, StepsTellThreadPlaceAndBytes) {
  const Result r = check("T0|begin(f)\nT0|r(x+2:4)\nT1|w(x:4)\nT0|w(x)\nT0|end\n");
  ASSERT_EQ(r.findings.size(), 1u);
  const std::vector<FindingStep>& steps = r.findings[0].steps;
  ASSERT_EQ(steps.size(), 3u);
  for (const FindingStep& step : steps) {
    const Event& e = r.trace.events[step.where.ordinal];
    EXPECT_EQ(step.where, (Where{step.where.ordinal, e.thread, e.site, e.context}));
    EXPECT_EQ(step.address, e.address);
    EXPECT_EQ(step.size, e.size);
    EXPECT_EQ(step.operation, e.kind);
  }
}

TEST(VelodromeFinding, GoesThroughProgramOrderBetweenTransactionsOfAThread) {
  const Result r = check(
      "T0|begin(f)\nT0|w(a)\nT1|begin(g)\nT1|r(a)\nT1|end\n"
      "T1|begin(h)\nT1|w(b)\nT1|end\nT0|r(b)\nT0|end\n");
  ASSERT_EQ(r.findings.size(), 1u);
  EXPECT_THAT(
      edges_of(r.findings[0]),
      testing::ElementsAre("1:write>3:read data", "3:read>6:write order", "6:write>8:read data"));
  EXPECT_EQ(r.findings[0].transactions.size(), 3u);
}

TEST(VelodromeFinding, TellsUnaryTransactionsApart) {
  const Result r = check("T0|begin(f)\nT0|w(a)\nT1|r(a)\nT1|r(z)\nT1|w(b)\nT0|r(b)\n");
  ASSERT_EQ(r.findings.size(), 1u);
  EXPECT_THAT(
      edges_of(r.findings[0]),
      testing::ElementsAre("1:write>2:read data", "2:read>4:write order", "4:write>5:read data"));
  ASSERT_EQ(r.findings[0].transactions.size(), 3u);
  EXPECT_EQ(r.findings[0].transactions[1].region, kNoRegion);
  EXPECT_EQ(r.findings[0].transactions[1].begin.ordinal, 2u);
}

TEST(VelodromeFinding, NamesSynchronizationAsTheReason) {
  const Result r = check(
      "T0|begin(f)\nT0|acq(l)\nT0|rel(l)\nT1|acq(l)\nT1|rel(l)\nT0|acq(l)\nT0|rel(l)\nT0|end\n");
  ASSERT_EQ(r.findings.size(), 1u);
  EXPECT_THAT(edges_of(r.findings[0]),
              testing::ElementsAre("2:release>3:acquire sync", "3:acquire>4:release order",
                                   "4:release>5:acquire sync"));
}

// The lost deposit: each access holds the lock, and the lock's orders close the cycle first.
constexpr char kLostDeposit[] =
    "T0|begin(f)\nT0|acq(l)\nT0|r(x)\nT0|rel(l)\n"
    "T1|begin(g)\nT1|acq(l)\nT1|w(x)\nT1|rel(l)\nT1|end\n"
    "T0|acq(l)\nT0|w(x)\nT0|rel(l)\nT0|end\n";

TEST(VelodromeFinding, TellsOfTheDataBehindTheLock) {
  const Result r = check(kLostDeposit);
  ASSERT_EQ(r.findings.size(), 1u);
  EXPECT_THAT(edges_of(r.findings[0]),
              testing::ElementsAre("2:read>6:write data", "6:write>10:write data"));
  EXPECT_EQ(r.findings[0].times, 1u);
  for (const FindingTransaction& t : r.findings[0].transactions)
    EXPECT_EQ(t.blamed, r.region(t.region) == "f");
}

TEST(VelodromeFinding, IsToldWhenTheLockClosesTheCycle) {
  EXPECT_EQ(first_violation<Velodrome>(parse_trace(kLostDeposit), true), 9u);
}

// T1 writes y before it writes x; by its lock it had come after T0 already.
TEST(VelodromeFinding, TheDataBehindTheLockDoesNotShiftTheBlame) {
  const Result r = check(
      "T0|begin(f)\nT0|acq(l)\nT0|r(x)\nT0|rel(l)\n"
      "T1|begin(g)\nT1|acq(l)\nT1|w(y)\nT1|w(x)\nT1|rel(l)\nT1|end\n"
      "T0|r(y)\nT0|end\n");
  ASSERT_EQ(r.findings.size(), 1u);
  EXPECT_THAT(edges_of(r.findings[0]),
              testing::ElementsAre("2:read>7:write data", "6:write>10:read data"));
  for (const FindingTransaction& t : r.findings[0].transactions)
    EXPECT_EQ(t.blamed, r.region(t.region) == "f");
}

TEST(VelodromeFinding, BlamesTheTransactionThatWentOnAfterAnotherSteppedIn) {
  const Result r = check("T0|begin(f)\nT0|r(x)\nT1|begin(g)\nT1|w(x)\nT1|end\nT0|w(x)\nT0|end\n");
  ASSERT_EQ(r.findings.size(), 1u);
  for (const FindingTransaction& t : r.findings[0].transactions)
    EXPECT_EQ(t.blamed, r.region(t.region) == "f");
  EXPECT_THAT(r.findings[0].notes, testing::IsEmpty());
}

TEST(VelodromeFinding, BlamesAllWhoWentOnWhereTheCycleIsNotIncreasing) {
  const Result r =
      check("T0|begin(f)\nT0|w(x)\nT1|begin(g)\nT1|w(y)\nT0|r(y)\nT1|r(x)\nT0|end\nT1|end\n");
  ASSERT_EQ(r.findings.size(), 1u);
  EXPECT_EQ(r.region(r.findings[0].region), "g") << "it closed the cycle";
  for (const FindingTransaction& t : r.findings[0].transactions) EXPECT_TRUE(t.blamed);
  EXPECT_EQ(r.findings[0].notes.size(), 1u);
}

TEST(VelodromeFinding, SaysWhatHappenedInOneSentence) {
  EXPECT_EQ(check("T0|begin\nT0|r(x)\nT1|w(x)\nT0|w(x)\n").findings.at(0).message,
            "The region is not atomic: between its read and its later write another thread wrote "
            "the same memory.");
  EXPECT_EQ(check("T0|begin\nT0|w(x)\nT1|begin\nT1|r(x)\nT1|w(y)\nT1|end\nT0|r(y)\n")
                .findings.at(0)
                .message,
            "The region is not atomic: between its write and its later read another thread "
            "stepped in, after the first and before the second.");
}

TEST(VelodromeFinding, IsReportedOncePerSetOfRegions) {
  const std::string f_and_g =
      "T0|begin(f)\nT0|r(x)\nT1|begin(g)\nT1|w(x)\nT1|end\nT0|w(x)\nT0|end\n";
  const std::string g_and_f =
      "T0|begin(g)\nT0|r(x)\nT1|begin(f)\nT1|w(x)\nT1|end\nT0|w(x)\nT0|end\n";
  const std::string f_alone = "T0|begin(f)\nT0|r(x)\nT1|w(x)\nT0|w(x)\nT0|end\n";
  const Result r = check(f_and_g + g_and_f + f_and_g + f_alone);
  ASSERT_EQ(r.findings.size(), 2u);
  EXPECT_EQ(r.findings[0].times, 3u);
  EXPECT_EQ(r.findings[1].times, 1u);
  EXPECT_EQ(r.stat("cycles"), 4u);
}

TEST(VelodromeFinding, OnePerTransactionAndThreadThatSteppedIn) {
  const Result r =
      check("T0|begin\nT0|r(x)\nT1|w(x)\nT0|w(x)\nT1|w(x)\nT0|w(x)\nT1|w(x)\nT0|w(x)\n");
  ASSERT_EQ(r.findings.size(), 1u);
  EXPECT_EQ(r.findings[0].times, 1u);
  EXPECT_EQ(r.stat("cycles"), 3u);
}

std::vector<bool> unlikely(std::string_view trace) {
  std::vector<bool> all;
  for (const Finding& f : check(trace).findings) all.push_back(!f.unlikely.empty());
  return all;
}

// One producer, one consumer: each looks at the other's index and stores its own.
constexpr char kCrossedLooks[] =
    "T0|begin(put)\nT0|aload.acquire(head)\nT1|begin(get)\nT1|aload.acquire(tail)\n"
    "T0|astore.release(tail)\nT1|astore.release(head)\n";

// f is broken once; once it only meets g, which comes after it while it runs; once it meets nobody.
TEST(VelodromeFinding, CountsContendedExecutions) {
  const Result r = check(
      "T1|begin(f)\nT1|r(x)\nT2|w(x)\nT1|w(x)\nT1|end\n"
      "T1|begin(f)\nT1|w(x)\nT2|begin(g)\nT2|r(x)\nT2|end\nT1|end\n"
      "T1|begin(f)\nT1|w(x)\nT1|end\n");
  ASSERT_EQ(r.findings.size(), 1u);
  EXPECT_EQ(r.findings[0].executions, (Executions{.contended = 2, .broken = 1}));
}

TEST(VelodromeUnlikely, LooksAtWhatAnotherThreadChangesLater) {
  EXPECT_THAT(unlikely(kCrossedLooks), testing::ElementsAre(true));
}

TEST(VelodromeUnlikely, NotALostUpdateOfOneVariable) {
  EXPECT_THAT(unlikely("T0|begin(f)\nT0|aload.acquire(n)\nT1|begin(f)\nT1|aload.acquire(n)\n"
                       "T0|astore.release(n)\nT1|astore.release(n)\n"),
              testing::ElementsAre(false));
}

TEST(VelodromeUnlikely, NotWhatWasSeenOfTheOther) {
  EXPECT_THAT(unlikely("T0|begin(f)\nT0|aload.acquire(a)\nT1|begin(g)\nT1|astore.release(a)\n"
                       "T1|astore.release(b)\nT0|aload.acquire(b)\n"),
              testing::ElementsAre(false));
}

TEST(VelodromeUnlikely, ADataCycleOfTheSameTransactionIsToldBesides) {
  EXPECT_THAT(unlikely(std::string(kCrossedLooks) + "T1|r(x)\nT0|w(x)\nT1|w(x)\n"),
              testing::ElementsAre(true, false));
  EXPECT_THAT(unlikely("T0|begin(f)\nT0|acq(l)\nT0|rel(l)\nT1|acq(l)\nT1|rel(l)\nT0|acq(l)\n"
                       "T0|r(x)\nT1|w(x)\nT0|w(x)\n"),
              testing::ElementsAre(true, false));
}

// T0 sends a message through the descriptor d, and T1 answers by x.
Finding answered(Kind sends, bool atomic) {
  TraceBuilder builder;
  builder.begin(0, "f").sync(sends, 0, "d").sync(Kind::kSemaphoreWait, 1, "d");
  if (atomic) {
    builder.store(1, "x").load(0, "x");
  } else {
    builder.write(1, "x").read(0, "x");
  }
  const Result r = check(builder.end(0).trace());
  EXPECT_EQ(r.findings.size(), 1u);
  return r.findings.at(0);
}

TEST(VelodromeUnlikely, AnAnswerToAMessageOfItsOwnByAtomics) {
  EXPECT_FALSE(answered(Kind::kPublish, true).unlikely.empty());
  EXPECT_TRUE(answered(Kind::kSemaphorePost, true).unlikely.empty());
}

TEST(VelodromeFinding, NotesAnAnswerToAMessage) {
  const Finding f = answered(Kind::kPublish, false);
  EXPECT_TRUE(f.unlikely.empty()) << "the message may have been sent too early";
  EXPECT_THAT(f.notes, testing::ElementsAre(testing::HasSubstr("sent a message")));
  EXPECT_THAT(answered(Kind::kSemaphorePost, false).notes, testing::IsEmpty());
}

TEST(VelodromeUnlikely, LocksAlone) {
  EXPECT_THAT(unlikely("T0|begin(f)\nT0|acq(l)\nT0|rel(l)\nT1|acq(l)\nT1|rel(l)\nT0|acq(l)\n"),
              testing::ElementsAre(true));
  EXPECT_THAT(unlikely(kLostDeposit), testing::ElementsAre(false));
}

// k threads in small transactions on shared variables, one more whose transaction never ends.
Trace long_run(int threads, int rounds, bool one_stays_open) {
  TraceBuilder b;
  if (one_stays_open) b.begin(threads, "forever").write(threads, "root");
  for (int round = 0; round < rounds; ++round)
    for (int t = 0; t < threads; ++t)
      b.begin(t, "f").read(t, "root").acquire(t, "l").write(t, "x").release(t, "l").end(t).read(
          t, "y");
  return b.trace();
}

// The program was aborted by this thread after the last event.
std::vector<Finding> aborted(std::string_view text, std::uint32_t thread) {
  const Trace trace = parse_trace(text);
  FindingSink sink;
  Velodrome velodrome(sink);
  feed(velodrome, trace.events, 0);
  velodrome.finish();
  velodrome.aborted_by(ThreadId{thread});
  return sink.findings();
}

TEST(VelodromeAborted, ATransactionThatWasSeenHalfDone) {
  const auto findings = aborted("T0|begin(f)\nT0|w(x)\nT1|begin(g)\nT1|r(x)\n", 1);
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_THAT(edges_of(findings[0]), testing::ElementsAre("1:write>3:read data"));
  EXPECT_TRUE(findings[0].transactions[0].blamed);
  EXPECT_FALSE(findings[0].transactions[0].finished);
}

TEST(VelodromeAborted, TheTransactionOfTheThreadItself) {
  const auto findings = aborted("T0|begin(f)\nT0|r(x)\nT1|w(x)\n", 0);
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_THAT(edges_of(findings[0]), testing::ElementsAre("1:read>2:write data"));
}

TEST(VelodromeAborted, NothingWhereNobodySteppedIn) {
  EXPECT_TRUE(aborted("T0|begin(f)\nT0|r(x)\nT1|r(x)\n", 0).empty());
  EXPECT_TRUE(aborted("T0|begin(f)\nT0|w(x)\nT0|end\nT1|r(x)\n", 1).empty());
  EXPECT_TRUE(aborted("T0|begin(f)\nT0|w(x)\nT1|r(x)\n", 2).empty());  // unknown thread
}

TEST(VelodromeCollection, LeavesNothingOfFinishedTransactions) {
  const Result r = check(long_run(4, 500, false));
  EXPECT_THAT(r.findings, testing::IsEmpty());
  EXPECT_EQ(r.stat("transactions"), 2000u);
  EXPECT_EQ(r.stat("live_nodes"), 0u);
  EXPECT_EQ(r.stat("max_live_nodes"), 1u) << "one transaction at a time";
}

TEST(VelodromeCollection, DoesNotGrowUnderALongOpenTransaction) {
  const Result few = check(long_run(4, 10, true));
  const Result many = check(long_run(4, 500, true));
  EXPECT_THAT(many.findings, testing::IsEmpty());
  EXPECT_EQ(few.stat("max_live_nodes"), many.stat("max_live_nodes"));
  EXPECT_LE(many.stat("max_live_nodes"), 2u * 5u) << "(open transactions) x (threads)";
}

TEST(VelodromeCollection, FindsTheCycleThroughAMergedTransaction) {
  TraceBuilder b;
  b.begin(0, "forever").write(0, "root");
  for (int i = 0; i < 100; ++i)
    b.begin(1, "f").read(1, "root").write(1, "x" + std::to_string(i)).end(1);
  b.read(0, "x50");
  const Result r = check(b.trace());
  ASSERT_EQ(r.findings.size(), 1u);
  const std::vector<std::string> edges = edges_of(r.findings[0]);
  ASSERT_EQ(edges.size(), 3u);
  EXPECT_EQ(edges[0], "1:write>3:read data");
  EXPECT_EQ(edges[1], "3:read>204:write order");
  EXPECT_EQ(edges[2], "204:write>402:read data");
}

}  // namespace
}  // namespace isosan::test
