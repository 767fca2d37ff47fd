// Bytes and memory, the filter, and what findings say.
#include <map>

#include "unit/singletrack/verdicts.h"

namespace isosan::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(Locations, OnlySharedBytesConflict) {
  TraceBuilder p;
  p.block(0).fork(0, 1).write(0, "x+0:4").write(1, "x+4:4");
  EXPECT_THAT(run(p), IsEmpty());
  TraceBuilder overlap;
  overlap.block(0).fork(0, 1).write(0, "x+0:4").write(1, "x+3:4");
  const std::vector<Finding> findings = run(overlap);
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].steps.at(1).address, overlap.address_of("x") + 3);
  EXPECT_EQ(findings[0].steps.at(1).size, 1u);
}

TEST(Locations, FreedMemoryIsNew) {
  TraceBuilder p;
  p.block(0).fork(0, 1).write(0, "x").free(0, "x").allocate(1, "x").write(1, "x");
  EXPECT_THAT(run(p), IsEmpty());
}

TEST(Filter, AnAccessBeforeTheRaceIsRemembered) {  // the edge from the first block is made late
  TraceBuilder p;
  p.block(0, "first").read(0, "x").write(1, "x").write(1, "y").read(0, "y");
  EXPECT_THAT(blamed(p, {.filter = true}), ElementsAre("first"));
  EXPECT_THAT(blamed(p, {.filter = false}), ElementsAre("first"));
}

TEST(Filter, RaceFreeAccessesAreNotChecked) {
  TraceBuilder p;
  p.block(0).write(0, "x").fork(0, 1).read(1, "x").join(0, 1).write(0, "x").end(0);
  FindingSink sink;
  SingleTrack analysis(sink);
  feed(analysis, p.trace().events, 0);
  std::map<std::string, std::uint64_t> stats;
  for (const Stat& stat : analysis.stats()) stats[stat.name] = stat.value;
  EXPECT_EQ(stats.at("accesses_checked"), 0u);
  EXPECT_EQ(stats.at("accesses_filtered"), 3u);
}

// Thread 1 writes, thread 2 reads: each a walk, the second `shift` bytes further; with and without
// an order.
std::vector<Finding> two_walks(std::uint64_t shift, bool joined) {
  TraceBuilder p;
  p.block(0).fork(0, 1);
  if (joined) p.join(0, 1);
  p.fork(0, 2);
  std::vector<Event> events = p.trace().events;
  Event write{.kind = Kind::kWrite, .thread = ThreadId{1}, .address = 4096};
  make_walk(write, {.size = 8, .count = 50, .stride = 24});
  Event read = write;
  read.kind = Kind::kRead;
  read.thread = ThreadId{2};
  read.address += shift;
  events.insert(events.begin() + 2, write);
  events.push_back(read);
  FindingSink sink;
  SingleTrack analysis(sink);
  feed(analysis, events, 0);
  analysis.finish();
  return sink.findings();
}

TEST(Locations, TheAccessesOfAWalkConflictOneByOne) {
  EXPECT_THAT(two_walks(8, false), IsEmpty());
  EXPECT_THAT(two_walks(0, true), IsEmpty());
  const std::vector<Finding> findings = two_walks(24 * 49, false);
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].steps.at(1).address, 4096u + 24 * 49);
  EXPECT_EQ(findings[0].steps.at(1).size, 8u);
}

TEST(Findings, AConflictNamesBlockThreadsAndWhatMayDiffer) {
  TraceBuilder p;
  p.block(0, "sum").fork(0, 1).write(0, "x").write(1, "x");
  const std::vector<Finding> findings = run(p);
  ASSERT_EQ(findings.size(), 1u);
  const Finding& finding = findings[0];
  EXPECT_EQ(finding.transactions.at(0).begin.ordinal, 0u);
  EXPECT_EQ(finding.transactions.at(0).thread, ThreadId{0});
  EXPECT_EQ(finding.steps.at(0).where.thread, ThreadId{0});
  EXPECT_EQ(finding.steps.at(1).where.thread, ThreadId{1});
  EXPECT_EQ(finding.steps.at(1).operation, Kind::kWrite);
  EXPECT_THAT(finding.message, testing::HasSubstr("the other write may be the one that stays"));
}

TEST(Findings, AConflictSaysWhereItsThreadsWereStarted) {
  TraceBuilder p;
  p.block(0).fork(0, 1).write(0, "x").write(1, "x");
  const std::vector<Finding> findings = run(p);
  ASSERT_EQ(findings.size(), 1u);
  ASSERT_EQ(findings[0].steps.size(), 3u);  // the main thread has no birth
  EXPECT_EQ(findings[0].steps[2].operation, Kind::kFork);
  EXPECT_EQ(findings[0].steps[2].where.ordinal, 1u);
  EXPECT_EQ(findings[0].steps[2].address, 1u);
}

// Sites 1 and 2: an inlined exchange_and_add of a shared_ptr's release, and a plain atomic.
Tables with_a_reference_count() {
  Tables tables;
  tables.functions.push_back({.name = "__gnu_cxx::__exchange_and_add"});
  tables.functions.push_back({.name = "std::_Sp_counted_base::_M_release"});
  tables.functions.push_back({.name = "count"});
  tables.sites.push_back({.function = FunctionId{1}, .inlined_at = SiteId{2}});
  tables.sites.push_back({.function = FunctionId{2}});
  tables.sites.push_back({.function = FunctionId{3}});
  return tables;
}

TEST(CommutingAtomics, ReferenceCountsCommuteAndOrderWhoDestroys) {
  const Tables tables = with_a_reference_count();
  TraceBuilder p;
  p.block(0).fork(0, 1).write(1, "object").rmw(1, "count").rmw(0, "count").write(0, "object");
  std::vector<Event> events = p.trace().events;
  const auto findings_with = [&](SiteId site, bool filter) {
    for (Event& e : events) {
      if (e.kind == Kind::kAtomicRmw) e.site = site;
    }
    FindingSink sink;
    SingleTrack analysis(sink, {.filter = filter, .tables = &tables});
    feed(analysis, events, 0);
    return sink.findings().size();
  };
  for (const bool filter : {false, true}) {
    EXPECT_EQ(findings_with(SiteId{1}, filter), 0u);
    EXPECT_GT(findings_with(SiteId{3}, filter), 0u);
  }
}

TEST(CommutingAtomics, ReductionsInTheBodyOfAConstructAreNoConflict) {
  Tables tables;
  tables.functions.push_back({.name = "sum", .linkage_name = "_Z3sumv._omp_fn.0"});
  tables.functions.push_back({.name = "sum"});
  tables.contexts.push_back({.function = FunctionId{1}});
  tables.contexts.push_back({.function = FunctionId{2}});
  TraceBuilder p;
  p.block(0).fork(0, 1).rmw(1, "total").rmw(0, "total");
  for (const std::uint32_t context : {1u, 2u}) {
    std::vector<Event> events = p.trace().events;
    for (Event& e : events) e.context = ContextId{context};
    FindingSink sink;
    SingleTrack analysis(sink, {.tables = &tables});
    feed(analysis, events, 0);
    EXPECT_EQ(sink.findings().size(), context - 1);
  }
}

TEST(Findings, ARepeatedConflictIsCounted) {
  FindingSink sink;
  SingleTrack analysis(sink);
  TraceBuilder p;
  p.block(0).fork(0, 1).write(0, "x").write(1, "x").write(0, "x");
  std::vector<Event> events = p.trace().events;
  for (Event& e : events) e.site = SiteId{1};
  feed(analysis, events, 0);
  ASSERT_EQ(sink.findings().size(), 1u);
  EXPECT_EQ(sink.findings()[0].times, 2u);
}

}  // namespace
}  // namespace isosan::test
