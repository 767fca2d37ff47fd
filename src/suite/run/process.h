// A program that is run to its end, with a limit of time and a way to stop it.
//
// Model: the program is the leader of a process group of its own, so that a Ctrl-C of the terminal
// reaches isosan alone, which decides. At the limit, or when `stop` is set, it gets SIGTERM; what is
// left of its group after kGrace, or when it has ended, gets SIGKILL. stdin is empty; stdout and
// stderr are kept.
#pragma once

#include <atomic>
#include <chrono>
#include <string>
#include <utility>
#include <vector>

namespace isosan::suite {

struct ProcessRequest {
  std::vector<std::string> command;
  std::string folder;  // empty: ours
  std::vector<std::pair<std::string, std::string>> environment;
  std::chrono::milliseconds limit{0};  // 0: none
  int cpu = -1;                        // the one processor that it may use; -1: any
};

struct ProcessOutcome {
  int status = 0;  // exit status; 128 + the signal that ended it
  bool timed_out = false;
  bool stopped = false;
  std::string output, errors;
  std::chrono::duration<double> took{};
};

inline constexpr std::chrono::seconds kGrace{5};

// Throws UserError: cannot be run; std::system_error: no room, no descriptor.
ProcessOutcome run_process(const ProcessRequest& request, const std::atomic<bool>& stop);

}  // namespace isosan::suite
