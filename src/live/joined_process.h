// A process that the run's program has started, and that has asked the run's server for a log
// (run_server.h). The process that watches it is not its parent: the program's own family, process
// ids and exit statuses stay as they are without IsoSan.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <string>

#include "live/exit_status.h"

namespace isosan {

class JoinedProcess {
 public:
  // Takes over the descriptors. `connection`: on it the process waits for its log. `process`: its
  // pidfd. `run`: hangs up when the run has ended. `results`: run_results.h.
  struct Descriptors {
    int connection, process, run, results;
  };
  JoinedProcess(pid_t pid, std::uint64_t number, const Descriptors& descriptors);

  pid_t pid() const { return pid_; }
  std::uint64_t number() const { return number_; }  // in the order in which they asked for logs
  const std::string& command() const { return command_; }

  void hand_over(int log_fd);  // a process that is gone meanwhile has simply ended
  bool ended();                // also looks whether the run has
  // How it ended. The kernel tells who is not the parent since Linux 6.15; before, as long as its
  // parent has not waited for it. Otherwise: no signal.
  ExitStatus status() const;

  // One line, for the run's own report.
  void add_result(const std::string& line) const;
  void one_at_a_time(const std::function<void()>& action) const;  // of all that watch
  void print(const std::string& text) const;  // to stderr, whole, however many print

 private:
  pid_t pid_;
  std::uint64_t number_;
  int connection_, process_, run_, results_;
  bool run_ended_ = false;
  std::string command_;
};

// The run has ended, and whoever reads our stderr may wait until everybody has closed it. A pipe or
// socket is replaced by the stderr of process `pid`; 0: by nothing.
void leave_stderr_of_run(pid_t pid);

}  // namespace isosan
