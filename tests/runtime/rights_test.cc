// Who may say what to the runtime: programs with more rights than their caller take nothing from
// the environment; a log that is not isosan's, or that lies about its layout, is not used.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "oracle/fresh_path.h"
#include "runtime/session.h"

namespace isosan::test {
namespace {

constexpr uid_t kStranger = 65534;  // nobody

std::string output_of(const std::string& command, int* status = nullptr) {
  std::FILE* pipe = popen(command.c_str(), "r");
  std::string output;
  for (int c; (c = std::fgetc(pipe)) != EOF;) output += static_cast<char>(c);
  const int ended = pclose(pipe);
  if (status != nullptr) *status = ended;
  return output;
}

// A file that is executable for everybody.
std::string script(const std::string& text) {
  std::string path = fresh_path("script");
  std::ofstream(path) << "#!/bin/sh\n" << text;
  chmod(path.c_str(), 0755);
  return path;
}

class WithMoreRights : public testing::TestWithParam<mode_t> {
 protected:
  void SetUp() override {
    if (geteuid() != 0) GTEST_SKIP() << "only root can make a setuid program of another user";
    program_ = fresh_path("setuid");
    std::filesystem::copy_file(PROGRAMS "started", program_);
    struct statvfs mount;
    ASSERT_EQ(statvfs(program_.c_str(), &mount), 0);
    if ((mount.f_flag & ST_NOSUID) != 0) GTEST_SKIP() << "the test's folder is mounted nosuid";
    ASSERT_EQ(chmod(program_.c_str(), 0755 | GetParam()), 0);
    marker_ = fresh_path("marker");
    isosan_ = script("touch " + marker_ + "\n");
  }
  void TearDown() override {
    for (const std::string& path : {program_, marker_, isosan_}) std::remove(path.c_str());
  }
  // By a stranger, with everything in the environment that names isosan.
  std::string run_by_stranger() {
    return output_of("setpriv --reuid 65534 --regid 65534 --clear-groups env ISOSAN=" + isosan_ +
                     " ISOSAN_OPTIONS=--stats " + run_variable_ + program_ + " 2>&1");
  }

  std::string program_, marker_, isosan_;
  std::string run_variable_ = "ISOSAN_RUN=/tmp ";
};

TEST_P(WithMoreRights, NothingOfTheEnvironmentCounts) {
  EXPECT_EQ(run_by_stranger(),
            "isosan: a program with more rights than its caller (setuid, setgid) runs unobserved\n"
            "secure=1 path=- options=- run=- log=-\narguments=1 last=" +
                program_ + "\n");
  EXPECT_FALSE(std::filesystem::exists(marker_)) << "isosan was started";
}

TEST_P(WithMoreRights, WithoutThemIsosanIsStarted) {
  ASSERT_EQ(chmod(program_.c_str(), 0755), 0);
  ASSERT_EQ(chown(isosan_.c_str(), kStranger, kStranger), 0);
  run_variable_.clear();
  std::ofstream(isosan_) << "#!/bin/sh\necho started \"$@\"\n";
  EXPECT_EQ(run_by_stranger(), "started run --stats -- " + program_ + "\n");
}

INSTANTIATE_TEST_SUITE_P(Of, WithMoreRights, testing::Values(mode_t{S_ISUID}, mode_t{S_ISGID}));

TEST(Started, AllArgumentsAreHandedOn) {
  const std::string isosan = script("echo $#; for last; do :; done; echo $last\n");
  EXPECT_EQ(output_of("ISOSAN=" + isosan + " " PROGRAMS "started $(seq 100000)"),
            "100003\n100000\n");  // run -- PROGRAM
  EXPECT_EQ(output_of("ISOSAN=" + isosan + " " PROGRAMS "started '' ''"), "5\n\n");
  std::remove(isosan.c_str());
}

TEST(Log, IsClosedInTheProgram) {
  const Result result = run(PROGRAMS "started");
  EXPECT_EQ(result.attached, 1u);
  EXPECT_NE(result.output.find("log=closed"), std::string::npos) << result.output;
}

TEST(Log, WithoutSealsIsNotUsed) {
  Options options;
  options.sealed = false;
  const Result result = run(PROGRAMS "started", {}, options);
  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(result.attached, 0u);
}

TEST(Log, OfAnotherUserIsNotUsed) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can make a log of another user";
  Options options;
  options.owner = kStranger;
  const Result result = run(PROGRAMS "started", {}, options);
  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(result.attached, 0u);
}

using Forge = void (*)(log::LogHeader&);
class ForgedLog : public testing::TestWithParam<Forge> {};

TEST_P(ForgedLog, IsNotUsed) {
  Options options;
  options.forge = GetParam();
  const Result result = run(PROGRAMS "started", {}, options);
  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(result.attached, 0u);
}

constexpr std::uint64_t kFar = ~std::uint64_t{0} - 0xffff;
INSTANTIATE_TEST_SUITE_P(Header, ForgedLog,
                         testing::Values([](log::LogHeader& h) { h.blocks_offset = kFar; },
                                         [](log::LogHeader& h) { h.blocks_offset += 8; },
                                         [](log::LogHeader& h) { h.blocks_offset = 0; },
                                         [](log::LogHeader& h) { h.rings_offset = kFar; },
                                         [](log::LogHeader& h) { h.modules_offset = kFar; },
                                         [](log::LogHeader& h) { h.flags_area_offset = kFar; },
                                         [](log::LogHeader& h) { h.flags_area_size = kFar; },
                                         [](log::LogHeader& h) { h.schedule_offset = kFar; },
                                         [](log::LogHeader& h) { h.unordered_offset = kFar; },
                                         [](log::LogHeader& h) { h.max_threads = 0; },
                                         [](log::LogHeader& h) { h.max_threads = 0xffffffff; },
                                         [](log::LogHeader& h) { h.max_modules = 0xffffffff; },
                                         [](log::LogHeader& h) { h.ring_units = 0; },
                                         [](log::LogHeader& h) { h.ring_units = 0x80000000; },
                                         [](log::LogHeader& h) { h.ring_units -= 1; },
                                         [](log::LogHeader& h) {
                                           h.mode = static_cast<log::Mode>(77);
                                         }));

}  // namespace
}  // namespace isosan::test
