// Full mode: every operation is one event, and counted; the count is the same in every run.
#include <gtest/gtest.h>

#include <string>

#include "runtime/session.h"

namespace isosan::test {
namespace {

Result run_full(const std::string& program, const std::string& what) {
  Options options;
  options.mode = log::Mode::kFull;
  options.fixed_addresses = true;
  return run(std::string(PROGRAMS) + program, {what}, options);
}

struct Case {
  const char* program;
  const char* what;
};

class FullMode : public testing::TestWithParam<Case> {};

TEST_P(FullMode, CountsWhatItLogs) {
  const Result result = run_full(GetParam().program, GetParam().what);
  ASSERT_EQ(result.status, 0);
  const auto operations = result.operations();
  ASSERT_GE(operations.size(), 1u);
  for (const auto& [thread, kinds] : operations) {
    EXPECT_EQ(kinds.size(), result.executed.at(thread)) << "thread " << thread;
  }
}

TEST_P(FullMode, IsTheSameInEveryRun) {
  const Result one = run_full(GetParam().program, GetParam().what);
  const Result two = run_full(GetParam().program, GetParam().what);
  EXPECT_GT(one.executed.at(0), 0u);
  EXPECT_EQ(one.operations(), two.operations());
}

INSTANTIATE_TEST_SUITE_P(
    Programs, FullMode,
    testing::Values(Case{"primitives", "mutex"}, Case{"primitives", "recursive"},
                    Case{"primitives", "condition-timeout"}, Case{"primitives", "barrier"},
                    Case{"primitives", "once"}, Case{"primitives", "semaphore"},
                    Case{"primitives", "atomic-rmw"}, Case{"primitives", "fence"},
                    Case{"primitives", "c11-mutex"}, Case{"primitives", "static"}),
    [](const auto& test) {
      std::string name = std::string(test.param.program) + "_" + test.param.what;
      for (char& c : name) c = c == '-' ? '_' : c;
      return name;
    });

}  // namespace
}  // namespace isosan::test
