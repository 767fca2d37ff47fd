// The rest of the ABI: annotated libraries, libstdc++'s helpers, a program on its own, bad
// conditions.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>

#include "oracle/fresh_path.h"
#include "runtime/session.h"

namespace isosan::test {
namespace {

Result run_annotated(const std::string& name) { return run(PROGRAMS "annotated", {name}); }

std::uint64_t accesses_of(const Result& result, std::uint64_t address) {
  std::uint64_t n = 0;
  for (const Unit& u : result.linear()) {
    n += log::is_event(u.code) && is_access(log::kind_of(u.code)) && u.address == address;
  }
  return n;
}

TEST(Annotations, ReleaseAndAcquireOrder) {
  const Result result = run_annotated("edges");
  EXPECT_EQ(result.racy_transfers, 0u);
  EXPECT_EQ(result.count(Kind::kPublish), 1u);
  EXPECT_EQ(result.count(Kind::kObserve), 1u);
}

TEST(Annotations, AMutexOfTheProgramsOwn) {
  const Result result = run_annotated("mutexes");
  EXPECT_EQ(result.racy_transfers, 0u);
  EXPECT_EQ(result.count(Kind::kAcquire), 2u);
  EXPECT_EQ(accesses_of(result, result.address("word")), 0u) << "the atomics inside are no events";
}

TEST(Annotations, FibersAreThreads) {
  const Result result = run_annotated("fibers");
  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(result.threads_started, 2u);
  EXPECT_EQ(result.racy_transfers, 0u);
  EXPECT_EQ(accesses_of(result, result.address("x")), 6u);
}

TEST(Annotations, CleanupHandlersOfACancelledThreadAreSeen) {
  const Result result = run_annotated("cancel");
  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(result.racy_transfers, 0u);
  EXPECT_EQ(accesses_of(result, result.address("x")), 4u);
}

TEST(Edges, LongjmpLeavesNoCallOpen) {
  const Result result = run_annotated("jumps");
  EXPECT_EQ(result.status, 0);
  EXPECT_GE(result.count(Kind::kCall), 14u);
  EXPECT_EQ(result.count(Kind::kCall), result.count(Kind::kReturn));
  // jump_over touches x once more behind setjmp: that call comes at the depth of the first one.
  const std::uint64_t x = result.address("x");
  int depth = 0;
  std::vector<int> depths;
  for (const Unit& u : result.linear()) {
    depth += u.is(Kind::kCall);
    depth -= u.is(Kind::kReturn);
    if (u.is(Kind::kWrite) && u.address == x) depths.push_back(depth);
  }
  ASSERT_EQ(depths.size(), 14u);
  const std::vector<int> first(depths.begin(), depths.begin() + 7);
  EXPECT_EQ(first, (std::vector<int>{5, 6, 7, 8, 9, 10, 4}));
  EXPECT_EQ(first, std::vector<int>(depths.begin() + 7, depths.end()));
}

TEST(Containers, HelpersOfLibstdcxxAreRightAndSeen) {
  const Result result = run(PROGRAMS "containers");
  ASSERT_EQ(result.status, 0);
  const std::uint64_t node = result.address("node");
  std::uint64_t links = 0;  // the three links of the node, written by the insertion
  for (const Unit& u : result.linear()) {
    if (u.is(Kind::kWrite) && u.address >= node + 8 && u.address < node + 32) ++links;
  }
  EXPECT_GE(links, 3u);
}

TEST(Standalone, StartsIsosanWithTheOptions) {
  const std::string fake = fresh_path("fake");
  std::ofstream(fake) << "#!/bin/sh\nfor a; do echo \"[$a]\"; done\n";
  ASSERT_EQ(chmod(fake.c_str(), 0755), 0);
  const std::string command = "ISOSAN=" + fake + " ISOSAN_OPTIONS=\"--stats --json 'a b'\" " +
                              PROGRAMS "annotated one 'two three'";
  std::FILE* pipe = popen(command.c_str(), "r");
  ASSERT_NE(pipe, nullptr);
  std::string output;
  for (int c; (c = std::fgetc(pipe)) != EOF;) output += static_cast<char>(c);
  EXPECT_EQ(pclose(pipe), 0);
  std::remove(fake.c_str());
  EXPECT_EQ(output, std::string("[run]\n[--stats]\n[--json]\n[a b]\n[--]\n[") + PROGRAMS
                        "annotated]\n[one]\n[two three]\n");
}

TEST(BadConditions, ALimitOnAddressSpaceGivesOneLine) {
  const std::string command =
      "ISOSAN=/nonexistent sh -c 'ulimit -v 4000000; exec " PROGRAMS "annotated none' 2>&1";
  std::FILE* pipe = popen(command.c_str(), "r");
  ASSERT_NE(pipe, nullptr);
  std::string output;
  for (int c; (c = std::fgetc(pipe)) != EOF;) output += static_cast<char>(c);
  EXPECT_EQ(WEXITSTATUS(pclose(pipe)), 2);
  EXPECT_EQ(output.find("isosan: cannot map the shadow memory"), 0u) << output;
  EXPECT_EQ(output.find('\n'), output.size() - 1);
}

TEST(BadConditions, TheProgramGoesOnWhenTheReaderDies) {
  Options options;
  options.ring_units = 1 << 8;
  options.reader_dies = true;
  const Result result = run(PROGRAMS "lifecycle", {"sequential"}, options);
  EXPECT_EQ(result.status, 0);
}

}  // namespace
}  // namespace isosan::test
