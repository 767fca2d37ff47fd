// What counts in a region that waits or tries again, rule by rule (semantics.md).
#include "analysis/retries/retries.h"

#include <gtest/gtest.h>

#include <map>
#include <sstream>
#include <string>

#include "analysis/velodrome/velodrome.h"
#include "oracle/exact_analysis.h"
#include "unit/retries/kept_events.h"

namespace isosan::test {
namespace {

// Events separated by blanks, as parse_trace reads them. "=" before one marks a read-modify-write
// that changed nothing, "+" a step of a counter. Events of one text are at one site.
std::vector<Event> events_of(const std::string& text) {
  std::string lines;
  std::vector<std::uint8_t> marks;
  std::map<std::string, std::uint32_t> sites;
  std::vector<SiteId> site_of;
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    marks.push_back(word[0] == '=' ? kUnchanged : word[0] == '+' ? kStep : 0);
    if (marks.back() != 0) word.erase(0, 1);
    lines += word + "\n";
    site_of.push_back(SiteId{sites.try_emplace(word, sites.size() + 1).first->second});
  }
  std::vector<Event> events = parse_trace(lines).events;
  for (std::size_t i = 0; i < events.size(); ++i) {
    events[i].detail |= marks[i];
    events[i].site = site_of[i];
  }
  return events;
}

using Lines = std::vector<std::size_t>;  // positions, from 0

Lines left_out(const std::string& text) {
  const std::vector<Event> events = events_of(text), kept = through_retries(events, 1);
  EXPECT_EQ(kept, through_retries(events, events.size()));
  EXPECT_EQ(kept.size(), events.size());
  Lines result;
  for (std::size_t i = 0; i < kept.size(); ++i) {
    if (kept[i].kind == Kind::kFence && events[i].kind != Kind::kFence) result.push_back(i);
  }
  return result;
}

bool is_violated(const std::string& text) {
  FindingSink sink;
  Velodrome velodrome(sink);
  const std::vector<Event> kept = through_retries(events_of(text), 3);
  feed(velodrome, std::span(kept), 0);
  return !sink.findings().empty();
}

const Lines kNone;

TEST(Retries, ASpinCountsOnceItMayGoOn) {
  const std::string spin =
      "T0|begin T0|aload.acquire(x) T1|astore.release(x) T0|aload.acquire(x) T0|w(y) T0|end";
  EXPECT_EQ(left_out(spin), Lines{1});
  EXPECT_FALSE(is_violated(spin));
}

TEST(Retries, ALookThatIsNotRepeatedCounts) {
  const std::string stale =
      "T0|begin T0|aload.acquire(x) T1|astore.release(x) T0|astore.release(x) T0|end";
  EXPECT_EQ(left_out(stale), kNone);
  EXPECT_TRUE(is_violated(stale));
}

TEST(Retries, NotAtAnotherSite) {
  EXPECT_EQ(
      left_out("T0|begin T0|aload.acquire(x) T1|astore.release(x) T0|aload.consume(x) T0|end"),
      kNone);
}

TEST(Retries, SitesOfOnePlaceAreOne) {
  std::vector<Event> events =
      events_of("T0|begin T0|aload.acquire(x) T1|astore.release(x) T0|aload.acquire(x) T0|end");
  Tables tables;
  for (int column : {1, 2, 2}) {
    tables.sites.push_back({.file = "spin.c", .line = 7});
    tables.sites.back().column = static_cast<std::uint32_t>(column);
  }
  const auto kinds = [&](std::uint32_t first, std::uint32_t second) {
    events[1].site = SiteId{first};
    events[3].site = SiteId{second};
    Retries retries(&tables);
    return retries.take(events, {}, 0).events[1].kind;
  };
  EXPECT_EQ(kinds(2, 3), Kind::kFence);
  EXPECT_EQ(kinds(1, 2), Kind::kAtomicLoad);
}

TEST(Retries, NotOfOtherBytes) {
  EXPECT_EQ(left_out("T0|begin T0|aload.acquire(x:4) T1|w(x) T0|aload.acquire(x) T0|end"), kNone);
}

TEST(Retries, NotInAnotherRegion) {
  EXPECT_EQ(
      left_out("T0|begin T0|aload.acquire(x) T0|end T1|w(x) T0|begin T0|aload.acquire(x) T0|end"),
      kNone);
  EXPECT_EQ(left_out("T0|aload.acquire(x) T1|w(x) T0|aload.acquire(x)"), kNone);
}

TEST(Retries, AnEndWithoutItsBeginIsNoRegion) {
  std::vector<Event> events =
      events_of("T0|begin T0|end T0|begin T0|aload.acquire(x) T1|w(x) T0|aload.acquire(x) T0|end");
  events.erase(events.begin());
  EXPECT_EQ(through_retries(events, 1)[2].kind, Kind::kFence);
}

TEST(Retries, NotAcrossAnEffect) {
  for (const char* effect : {"T0|w(y)", "T0|astore.relaxed(y)", "T0|armw.relaxed(y)", "T0|post(s)",
                             "T0|notify(c)", "T0|fork(T5)", "T0|free(z)", "T0|publish(p)"}) {
    EXPECT_EQ(left_out("T0|begin T0|aload.acquire(x) " + std::string(effect) +
                       " T1|w(x) T0|aload.acquire(x) T0|end"),
              kNone)
        << effect;
  }
}

TEST(Retries, AWaitDecides) {
  EXPECT_EQ(left_out("T0|begin T0|aload.acquire(x) T0|wait(c) T1|w(x) T0|aload.acquire(x) T0|end"),
            kNone);
}

TEST(Retries, AnExchangeThatChangesNothingIsALook) {
  const std::string lock =
      "T0|begin =T0|armw.acquire(l) T1|astore.release(l) T0|armw.acquire(l) T0|w(y) "
      "T0|astore.release(l) T0|end";
  EXPECT_EQ(left_out(lock), Lines{1});
  EXPECT_FALSE(is_violated(lock));
  const std::vector<Event> kept = through_retries(events_of("=T0|armw.acquire(l)"), 1);
  EXPECT_EQ(kept[0].kind, Kind::kAtomicLoad);
  EXPECT_EQ(kept[0].detail, static_cast<std::uint8_t>(MemoryOrder::kAcquire));
}

TEST(Retries, ARoundOfASeqlockDoesNotCount) {
  const std::string round = "T0|aload.acquire(n) T0|r(a) T0|r(b) ";
  const std::string writer = "T1|begin T1|w(n) T1|w(a) T1|w(b) T1|w(n) T1|end ";
  const std::string text = "T0|begin " + round + writer + round + "T0|end";
  EXPECT_EQ(left_out(text), (Lines{1, 2, 3}));
  EXPECT_FALSE(is_violated(text));
}

TEST(Retries, WhatNobodyWroteInTheRoundStandsForItsRepetition) {
  EXPECT_EQ(
      left_out("T0|begin T0|aload.acquire(n) T0|r(a) T0|r(b) T1|w(n) T1|w(b) T0|aload.acquire(n) "
               "T0|r(b) T0|end"),
      (Lines{1, 3}));
}

TEST(Retries, ACompareExchangeStandsForTheLooksBeforeIt) {
  const std::string push =
      "T0|begin T0|aload.relaxed(top) T0|w(next) T1|w(top) T0|aload.cas(top) T0|w(next) T1|w(top) "
      "T0|armw.cas(top) T0|end";
  EXPECT_EQ(left_out(push), (Lines{1, 4}));
  EXPECT_FALSE(is_violated(push));
}

TEST(Retries, NoOtherUpdateDoes) {
  EXPECT_TRUE(is_violated("T0|begin T0|aload.relaxed(x) T1|w(x) T0|armw.relaxed(x) T0|end"));
}

TEST(Retries, ASecondLookUnderTheLock) {
  const std::string text =
      "T0|begin T0|aload.acquire(p) T1|acq(m) T1|astore.release(p) T1|rel(m) T0|acq(m) "
      "T0|aload.consume(p) T0|rel(m) T0|end";
  EXPECT_EQ(left_out(text), Lines{1});
  EXPECT_FALSE(is_violated(text));
}

TEST(Retries, TheLockMustBeNew) {
  EXPECT_EQ(
      left_out(
          "T0|begin T0|acq(m) T0|aload.acquire(p) T1|w(p) T0|aload.consume(p) T0|rel(m) T0|end"),
      kNone);
  EXPECT_EQ(
      left_out(
          "T0|begin T0|aload.acquire(p) T1|w(p) T0|acq(m) T0|rel(m) T0|aload.consume(p) T0|end"),
      kNone);
}

TEST(Retries, OfTheStepsOfOneCounterTheLastCounts) {
  const std::string use =
      "T0|begin +T0|armw.relaxed(n) T0|r(y) +T1|armw.acq_rel(n) +T0|armw.acq_rel(n) T0|end";
  EXPECT_EQ(left_out(use), Lines{1});
  EXPECT_FALSE(is_violated(use));
}

TEST(Retries, AStepAndALookAreTwoAccesses) {
  EXPECT_TRUE(
      is_violated("T0|begin T0|aload.relaxed(n) +T1|armw.relaxed(n) +T0|armw.relaxed(n) T0|end"));
}

TEST(Retries, ARelaxedLoadThatNothingFollows) {
  const std::string statistics =
      "T0|begin T0|aload.relaxed(a) T1|w(a) T1|w(b) T0|aload.relaxed(b) T0|end";
  EXPECT_EQ(left_out(statistics), (Lines{1, 4}));
  EXPECT_EQ(left_out("T0|begin T0|aload.relaxed(a) T1|w(a) T0|w(b) T0|end"), kNone);
  EXPECT_EQ(left_out("T0|begin T0|aload.relaxed(a) T1|w(a)"), kNone) << "the region may go on";
}

TEST(Retries, BackingOffOrdersNobody) {
  const std::string text =
      "T0|begin T0|acq(a) T0|rel.in_vain(a) T1|begin T1|acq(a) T1|w(x) T1|rel(a) T1|end T0|acq(a) "
      "T0|w(x) T0|rel(a) T0|end";
  EXPECT_FALSE(is_violated(text));
}

TEST(Retries, WhatTheLibraryCountsDoesNotCount) {
  std::vector<Event> events = events_of("T0|armw.acq_rel(n) T0|r(n)");
  Tables tables;
  tables.sites.push_back({.file = "/usr/include/c++/12/ext/atomicity.h", .line = 66});
  events[0].site = events[1].site = SiteId{1};
  Retries retries(&tables);
  const Retries::Decided decided = retries.take(events, {}, 0);
  EXPECT_EQ(decided.events[0].kind, Kind::kFence);
  EXPECT_EQ(decided.events[1].kind, Kind::kRead);
}

TEST(Retries, ALookThatIsTooOldCounts) {
  std::vector<Event> events =
      events_of("T0|begin T0|aload.acquire(x) T1|w(x) T0|aload.acquire(x) T0|end");
  events.insert(events.begin() + 2, Retries::kMostHeld + 200, events[2]);
  EXPECT_TRUE(through_retries(events, 100) == events);
}

TEST(Retries, OnlyTheLatestLooksOfARegionAreFollowed) {
  std::vector<Event> events = events_of("T0|begin T0|aload.acquire(x)");
  for (std::size_t i = 0; i < Retries::kMostLooks; ++i) {
    events.push_back(events[1]);
    events.back().address += 64 * (i + 1);
  }
  events.push_back(events[1]);
  EXPECT_EQ(through_retries(events, 7), events);
}

TEST(Retries, DependencesStayBeforeTheirEvents) {
  const std::vector<Event> events =
      events_of("T0|begin T0|aload.acquire(x) T1|w(x) T0|end T1|w(x)");
  Retries retries;
  std::vector<std::uint64_t> before;
  const auto keep = [&](const Retries::Decided& decided) {
    for (const Dependence& d : decided.dependences)
      before.push_back(decided.first_ordinal + d.before);
  };
  for (std::size_t i = 0; i < events.size(); ++i) {
    const Dependence dependence{.before = 0};
    keep(retries.take(std::span(events).subspan(i, 1), std::span(&dependence, 1), i));
  }
  keep(retries.finish());
  EXPECT_EQ(before, (std::vector<std::uint64_t>{0, 1, 2, 3, 4}));
}

}  // namespace
}  // namespace isosan::test
