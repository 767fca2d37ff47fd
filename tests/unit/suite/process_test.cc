#include "suite/run/process.h"

#include <gtest/gtest.h>
#include <signal.h>

#include <fstream>
#include <string>
#include <thread>

#include "base/user_error.h"

namespace isosan::suite {
namespace {

ProcessOutcome run(std::vector<std::string> command, std::chrono::milliseconds limit = {}) {
  const std::atomic<bool> stop{false};
  return run_process({.command = std::move(command),
                      .folder = "/",
                      .environment = {{"TEST_VALUE", "seven"}},
                      .limit = limit},
                     stop);
}

// A process that has ended may wait for its parent to ask for its status.
bool lives(pid_t pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
  std::string number, name, state;
  return file >> number >> name >> state && state != "Z";
}

TEST(Process, KeepsWhatItWritesAndItsStatus) {
  const ProcessOutcome outcome = run({"sh", "-c", "pwd; echo $TEST_VALUE >&2; cat; exit 3"});
  EXPECT_EQ(outcome.status, 3);
  EXPECT_EQ(outcome.output, "/\n");
  EXPECT_EQ(outcome.errors, "seven\n");
}

TEST(Process, EndsAtItsLimitWithAllThatItStarted) {
  const ProcessOutcome outcome =
      run({"sh", "-c", "sleep 1000 & echo $!; wait"}, std::chrono::milliseconds(200));
  EXPECT_TRUE(outcome.timed_out);
  const pid_t left = std::stoi(outcome.output);
  while (lives(left)) std::this_thread::yield();
  SUCCEED();
}

TEST(Process, EndsWhenItIsStopped) {
  std::atomic<bool> stop{false};
  std::thread other([&] { stop = true; });
  const ProcessOutcome outcome =
      run_process({.command = {"sleep", "1000"}, .folder = {}, .environment = {}}, stop);
  other.join();
  EXPECT_TRUE(outcome.stopped);
  EXPECT_EQ(outcome.status, 128 + SIGTERM);
}

TEST(Process, SaysWhatCannotBeRun) { EXPECT_THROW(run({"/no/such/program"}), UserError); }

}  // namespace
}  // namespace isosan::suite
