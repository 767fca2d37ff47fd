// A reader that wants the accesses of some regions only (doublechecker's second run): the others'
// are not in the log, edges and synchronization are.
#include <gtest/gtest.h>

#include "runtime/session.h"

#ifdef HAVE_PASS

namespace isosan::test {
namespace {

constexpr std::uint8_t kCall = log::kFunctionLogged;
constexpr std::uint8_t kRegion = log::kFunctionLogged | log::kFunctionRegion;
constexpr std::uint8_t kUnlogged = kRegion | log::kFunctionUnlogged;

// Flags of wanted, unwanted, posts, posts_below, round, main.
Result run_unlogged(std::vector<std::uint8_t> flags, bool unlogged_outside) {
  Options options;
  options.flags_in_order = std::move(flags);
  options.unlogged_outside = unlogged_outside;
  return run(PROGRAMS "unlogged", {}, options);
}

std::uint64_t writes_of(const Result& result, const std::string& name) {
  std::uint64_t n = 0;
  for (const Unit& u : result.linear()) {
    n += u.is(Kind::kWrite) && u.address == result.address(name);
  }
  return n;
}

TEST(Unlogged, WithoutFlagsEverythingIsLogged) {
  const Result result = run_unlogged({kRegion, kRegion, kRegion, kRegion, kCall, kCall}, false);
  EXPECT_EQ(writes_of(result, "seen"), 4u);
  EXPECT_EQ(writes_of(result, "unseen"), 3u);
  EXPECT_EQ(writes_of(result, "between"), 5u) << "two of the six stand between the same edges";
}

TEST(Unlogged, ARegionNobodyWantsLogsNoAccesses) {
  const Result result =
      run_unlogged({kRegion, kUnlogged, kUnlogged, kUnlogged, kCall, kCall}, false);
  EXPECT_EQ(writes_of(result, "seen"), 2u) << "the outermost region counts";
  EXPECT_EQ(writes_of(result, "unseen"), 0u);
  EXPECT_EQ(writes_of(result, "between"), 5u) << "what follows it is logged again";
  EXPECT_EQ(result.count(Kind::kCall), result.count(Kind::kReturn));
  EXPECT_EQ(result.count(Kind::kSemaphorePost), 1u);
}

TEST(Unlogged, NorDoesTheCodeOutsideIfNobodyWantsThat) {
  const Result result =
      run_unlogged({kRegion, kUnlogged, kUnlogged, kUnlogged, kCall, kCall}, true);
  EXPECT_EQ(writes_of(result, "seen"), 2u);
  EXPECT_EQ(writes_of(result, "unseen"), 0u);
  EXPECT_EQ(writes_of(result, "between"), 0u);
}

// A function that waits is no region any more.
TEST(Unlogged, WhatFollowsAWaitIsLogged) {
  const Result result = run_unlogged({kRegion, kUnlogged, kUnlogged, kCall, kCall, kCall}, true);
  EXPECT_EQ(writes_of(result, "behind_post"), 1u) << "the other one is outside";
}

// The function around it still is one.
TEST(Unlogged, ARegionGoesOnWhenAFunctionInsideWaits) {
  const Result result =
      run_unlogged({kRegion, kUnlogged, kUnlogged, kUnlogged, kCall, kCall}, true);
  EXPECT_EQ(writes_of(result, "behind_post"), 0u);
}

TEST(Unlogged, ACutIsLogged) {
  const std::uint8_t cut = log::kFunctionLogged | log::kFunctionNested | log::kFunctionCut;
  const Result result = run_unlogged({kUnlogged, kUnlogged, kUnlogged, kCall, cut, kCall}, true);
  EXPECT_EQ(writes_of(result, "between"), 6u);
  EXPECT_EQ(writes_of(result, "seen"), 4u);
}

// Calls of main, round, wanted and unwanted (twice each), posts_below, posts: without the one of
// wanted inside of unwanted, a leaf.
TEST(Unlogged, CallsInRegionsAreLoggedForTheStacks) {
  const Result result = run_unlogged({kRegion, kRegion, kRegion, kRegion, kRegion, kCall}, false);
  EXPECT_EQ(result.count(Kind::kCall), 7u);
}

TEST(Unlogged, WithoutAccessesCallsInRegionsAreToldOnlyWhereAThreadWaits) {
  Options options;
  options.mode = log::Mode::kUnlogged;
  options.flags_in_order = {kRegion, kRegion, kRegion, kRegion, kRegion, kCall};
  const Result result = run(PROGRAMS "unlogged", {}, options);
  std::vector<Kind> kinds;
  for (const Unit& u : result.linear()) {
    const bool kept = u.is(Kind::kCall) || u.is(Kind::kReturn) || u.is(Kind::kSemaphorePost);
    if (kept) kinds.push_back(log::kind_of(u.code));
  }
  using enum Kind;
  EXPECT_EQ(kinds, (std::vector<Kind>{kCall, kCall, kReturn, kCall, kReturn, kCall, kCall,
                                      kSemaphorePost, kReturn, kReturn, kReturn}));
}

}  // namespace
}  // namespace isosan::test

#endif
