// The program under observation: started with the log's descriptor, its stdin, stdout, stderr,
// signals and exit status its own.
//
// Terminal signals (SIGINT, SIGQUIT) reach the program directly. isosan ignores them while the
// program runs, so that it is there for the report. isosan passes on signals sent to it (SIGTERM,
// SIGHUP, SIGUSR1, SIGUSR2, SIGCONT). When the program has ended, isosan handles all of them itself
// again.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace isosan {

struct ChildOptions {
  int log_fd = -1;
  bool fixed_addresses = false;  // no address randomisation (recording for replay)
  int output_fd = -1;            // its stdout goes there; -1: where ours goes
  int error_fd = -1;             // its stderr
  bool no_input = false;   // stdin is empty, or the file that is our stdin, from its beginning
  bool own_group = false;  // processes that it starts are ended with it
  int cpu = -1;            // the one processor that it may use
  std::uint64_t milliseconds = 0;  // after which it is killed; 0: never
  std::vector<std::pair<std::string, std::string>> environment;  // added
};

struct ExitStatus {
  int code = 0;
  int signal = 0;  // not 0: ended by it
};
std::string signal_name(const ExitStatus& status);  // "SIGABRT"; empty: no signal ended it

class Child {
 public:
  // Starts the program; throws InputError "cannot run 'X': why".
  Child(const std::vector<std::string>& command, const ChildOptions& options);
  ~Child();
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  std::optional<ExitStatus> poll();  // the status, once it has ended
  pid_t pid() const { return pid_; }
  bool timed_out() const { return timed_out_; }
  void kill();  // at once

 private:
  void give_signals_back();
  pid_t pid_ = -1;
  std::optional<ExitStatus> status_;
  std::chrono::steady_clock::time_point deadline_;
  bool own_group_ = false;
  bool timed_out_ = false;
};

// Ends this process as the program ended: by the same signal, or returns the exit code.
int exit_like(const ExitStatus& status);

}  // namespace isosan
