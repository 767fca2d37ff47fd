// Threads in numbers, every way a process ends, memory used again.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <set>

#include "runtime/session.h"

namespace isosan::test {
namespace {

Result run_case(const std::string& name, const Options& options = {}) {
  return run(PROGRAMS "lifecycle", {name}, options);
}

TEST(Lifecycle, TenThousandThreadsOneAfterTheOther) {
  Options options;
  options.ring_units = 1 << 8;
  const Result result = run_case("sequential", options);
  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(result.threads_started, 10001u);
  EXPECT_EQ(result.count(Kind::kJoin), 10000u);
  EXPECT_EQ(result.racy_transfers, 0u);
  EXPECT_FALSE(result.linear().empty());
}

// What they have logged is in memory until it is drained. Nobody drains: the next one would wait,
// and finds that the reader is gone. At most 32 wait; what answers the start-up may drain as many
// once, and main is one more.
TEST(Lifecycle, FewThreadsThatHaveEndedWaitForTheReader) {
  Options options;
  options.max_threads = 4096;
  options.reader_dies = true;
  const Result result = run_case("sequential", options);
  EXPECT_EQ(result.status, 0);
  EXPECT_GT(result.threads_started, 16u);
  EXPECT_LE(result.threads_started, 65u);
}

// A handler that runs before its thread is known makes no thread of its own.
TEST(Lifecycle, SignalsComeToThreadsThatHaveBegun) {
  const Result result = run_case("sequential-with-alarms");
  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(result.threads_started, 501u);
  EXPECT_FALSE(result.linear().empty());
}

TEST(Lifecycle, FiveHundredThreadsAtOneTime) {
  Options options;
  options.max_threads = 512;
  options.ring_units = 1 << 8;
  const Result result = run_case("many", options);
  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(result.threads_started, 501u);
  EXPECT_EQ(result.count(Kind::kThreadEnd), 500u);
}

TEST(Lifecycle, AForkedChildRunsOnUnobserved) {
  const Result result = run_case("fork");
  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(result.threads_started, 1u);
}

TEST(Lifecycle, NothingIsLostWhenTheProcessEnds) {
  const struct {
    const char* name;
    bool by_signal;
    int code;
  } ends[] = {{"exit-from-thread", false, 5},
              {"quick-exit", false, 6},
              {"abort", true, SIGABRT},
              {"segfault", true, SIGSEGV}};
  for (const auto& end : ends) {
    const Result result = run_case(end.name);
    EXPECT_EQ(end.by_signal ? WTERMSIG(result.status) : WEXITSTATUS(result.status), end.code)
        << end.name;
    EXPECT_GE(result.count(Kind::kWrite), 1u) << end.name;
    EXPECT_GE(result.accesses_seen, 1u) << end.name;
  }
}

TEST(Lifecycle, AKilledProcessLeavesEverything) {
  Options options;
  options.kill_when_told = true;
  const Result result = run_case("kill", options);
  EXPECT_EQ(WTERMSIG(result.status), SIGKILL);
  EXPECT_EQ(result.count(Kind::kWrite), 1000u);
}

TEST(Lifecycle, ReusedMemoryIsNoRace) {
  const Result result = run_case("reuse");
  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(result.racy_transfers, 0u);
  const std::uint64_t first = result.address("first");
  std::uint64_t allocated = 0;
  std::uint64_t freed = 0;
  for (const Unit& u : result.linear()) {
    if (u.address == first && u.is(Kind::kAllocate)) {
      EXPECT_EQ(allocated, freed);
      ++allocated;
    }
    if (u.address == first && u.is(Kind::kFree)) ++freed;
  }
  EXPECT_GE(allocated, 1u);
  EXPECT_EQ(allocated, freed);
}

TEST(Lifecycle, MappingsAreAllocations) {
  const Result result = run_case("mapping");
  const std::uint64_t map = result.address("map");
  std::vector<Kind> seen;
  for (const Unit& u : result.linear()) {
    if (u.address == map) seen.push_back(log::kind_of(u.code));
  }
  EXPECT_EQ(seen, (std::vector<Kind>{Kind::kAllocate, Kind::kRead, Kind::kWrite, Kind::kFree}));
}

TEST(Lifecycle, ThreadLocalDestructorsAreSeenAndJoined) {
  const Result result = run_case("thread-local");
  EXPECT_EQ(result.racy_transfers, 0u);
  const std::uint64_t x = result.address("x");
  bool touched = false;
  for (const Unit& u : result.linear()) {
    if (u.is(Kind::kWrite) && u.address == x) touched = u.thread == 1;
    if (u.is(Kind::kThreadEnd) && u.thread == 1) {
      EXPECT_TRUE(touched);
    }
  }
  EXPECT_TRUE(touched);
}

TEST(Lifecycle, DetachedThreads) { EXPECT_EQ(run_case("detached").status, 0); }

TEST(Lifecycle, SignalHandlersRunAndTheLogStaysWhole) {
  const Result result = run_case("signals");
  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(result.address("got"), 1000u);
  EXPECT_FALSE(result.linear().empty());
}

TEST(Lifecycle, AnOwnerThatNeverPollsIsAskedBySignal) {
  const Result result = run_case("busy-owner");
  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(result.racy_transfers, 1u);
}

TEST(Modules, WhatIsInstrumentedIsKnown) {
  const Result result = run_case("mapping");
  ASSERT_EQ(result.instrumented_modules.size(), 1u);
  EXPECT_NE(result.instrumented_modules[0].find("runtime_lifecycle"), std::string::npos);
  EXPECT_GT(result.modules.size(), 3u);
}

}  // namespace
}  // namespace isosan::test
