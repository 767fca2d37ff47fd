#include "live/child.h"

#include <gtest/gtest.h>
#include <signal.h>

#include "base/input_error.h"

namespace isosan {
namespace {

ExitStatus run(const std::vector<std::string>& command, const ChildOptions& options = {}) {
  Child child(command, options);
  while (true) {
    if (const auto status = child.poll()) return *status;
  }
}

TEST(Child, ExitStatusIsTheProgramsOwn) { EXPECT_EQ(run({"sh", "-c", "exit 7"}).code, 7); }

TEST(Child, ASignalIsTold) { EXPECT_EQ(run({"sh", "-c", "kill -9 $$"}).signal, SIGKILL); }

TEST(Child, GetsTheLogAndTheEnvironment) {
  ChildOptions options{.log_fd = 0, .environment = {{"ISOSAN_TEST", "yes"}}};
  EXPECT_EQ(
      run({"sh", "-c", "test \"$ISOSAN_LOG_FD\" -ge 100 && test $ISOSAN_TEST = yes"}, options).code,
      0);
}

TEST(Child, AProgramThatIsNotThereIsToldInOneLine) {
  try {
    run({"./no-such-program"});
    ADD_FAILURE();
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), "cannot run './no-such-program': No such file or directory");
  }
}

TEST(Child, SignalsSentToIsosanReachTheProgram) {
  Child child({"sh", "-c", "trap 'exit 5' USR1; kill -USR1 $PPID; while :; do :; done"}, {});
  std::optional<ExitStatus> status;
  while (!(status = child.poll())) {
  }
  EXPECT_EQ(status->code, 5);
}

}  // namespace
}  // namespace isosan
