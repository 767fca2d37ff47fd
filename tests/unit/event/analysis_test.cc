#include "event/analysis.h"

#include <gtest/gtest.h>

#include "event/finding_sink.h"
#include "event/source.h"
#include "event/sync_effect.h"

namespace isosan {
namespace {

struct CountsReads {
  using Handles = Events<Read, Begin>;
  void on(const Read& e) {
    bytes += e.size;
    last = e.where;
  }
  void on(const Begin& e) { region = e.region; }
  std::uint64_t bytes = 0;
  Where last;
  RegionId region{};
};
static_assert(Analysis<CountsReads>);

struct ListsButDoesNotHandle {
  using Handles = Events<Read, Write>;
  void on(const Read&) {}
};
static_assert(!Analysis<ListsButDoesNotHandle>);

struct HandlesButDoesNotList {
  using Handles = Events<Read>;
  void on(const Read&) {}
  void on(const Write&) {}
};
static_assert(!Analysis<HandlesButDoesNotList>);

TEST(Analysis, SeesWhatItListsAndNothingElse) {
  CountsReads counts;
  Pipeline pipeline(counts);
  pipeline.feed({.kind = Kind::kWrite, .address = 8, .size = 4});
  pipeline.feed(
      {.kind = Kind::kRead, .thread = ThreadId{3}, .address = 8, .size = 4, .site = SiteId{9}});
  pipeline.feed({.kind = Kind::kBegin, .size = 5});
  EXPECT_EQ(counts.bytes, 4u);
  EXPECT_EQ(counts.last, (Where{1, ThreadId{3}, SiteId{9}, ContextId{}}));
  EXPECT_EQ(counts.region, RegionId{5});
  EXPECT_EQ(pipeline.events(), 3u);
}

struct HandlesWalks {
  using Handles = Events<Read>;
  void on(const Read&) { ++reads; }
  void on(const Walk<Read>& e) {
    first = e.first.address;
    last = e.first.address + (e.count - 1) * e.stride;
  }
  std::uint64_t reads = 0;
  Address first = 0, last = 0;
};
static_assert(Analysis<HandlesWalks>);

// Whole to whom handles walks, access by access to whom does not.
TEST(Analysis, SeesWalks) {
  Event walk{.kind = Kind::kRead, .address = 1000};
  const WalkSteps steps{.size = 4, .count = 3, .stride = std::uint64_t(-16)};
  ASSERT_TRUE(fits_event(steps));
  make_walk(walk, steps);
  CountsReads counts;
  HandlesWalks walks;
  Pipeline pipeline(counts, walks);
  pipeline.feed(walk);
  EXPECT_EQ(counts.bytes, 12u);
  EXPECT_EQ(walks.reads, 0u);
  EXPECT_EQ(walks.first, 1000u);
  EXPECT_EQ(walks.last, 968u);
  EXPECT_EQ(pipeline.events(), 1u);
}

TEST(Analysis, AWalkThatDoesNotFitAnEventIsNone) {
  const std::uint64_t far = std::uint64_t{1} << 31;
  EXPECT_FALSE(fits_event({.size = 4, .count = 3, .stride = far}));
  EXPECT_TRUE(fits_event({.size = 4, .count = 3, .stride = far - 1}));
  EXPECT_TRUE(fits_event({.size = 4, .count = 3, .stride = 0 - far}));
  EXPECT_FALSE(fits_event({.size = 4, .count = 3, .stride = 0 - far - 1}));
  EXPECT_FALSE(fits_event({.size = 4, .count = far * 2, .stride = 8}));
}

TEST(FindingSink, KeepsEachKeyOnceAndCountsTheRest) {
  FindingSink sink;
  EXPECT_TRUE(sink.is_new("a", "k"));
  sink.report({.analysis = "a", .key = "k"});
  EXPECT_FALSE(sink.is_new("a", "k"));
  EXPECT_TRUE(sink.is_new("b", "k"));
  EXPECT_EQ(sink.findings().at(0).times, 2u);
}

}  // namespace
}  // namespace isosan
