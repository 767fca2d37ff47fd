// The program under observation: started with the log's descriptor, its stdin, stdout, stderr,
// signals and exit status its own.
//
// Terminal signals (SIGINT, SIGQUIT) reach the program directly. isosan ignores them while the
// program runs, so that it is there for the report. isosan passes on signals sent to it (SIGTERM,
// SIGHUP, SIGUSR1, SIGUSR2, SIGCONT). With `summary_on_usr1`, SIGUSR1 asks isosan for a summary, and
// is passed on only if the program is ready for it: else it would end the program. When the program has
// ended, isosan handles all of them itself again.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "live/exit_status.h"
#include "live/joined_process.h"
#include "live/standstill.h"

namespace isosan {

struct ChildOptions {
  int log_fd = -1;
  bool fixed_addresses = false;  // no address randomisation (recording for replay)
  int output_fd = -1;            // its stdout goes there; -1: where ours goes
  int error_fd = -1;             // its stderr
  bool no_input = false;   // stdin is empty, or the file that is our stdin, from its beginning
  bool own_group = false;  // processes that it starts are ended with it
  int cpu = -1;            // the one processor that it may use
  bool summary_on_usr1 = false;
  std::uint64_t milliseconds = 0;  // after which it is killed; 0: never
  bool ends_deadlocks = false;     // it is killed when its threads wait for each other
  std::vector<std::pair<std::string, std::string>> environment;  // added
  // Where programs that it starts get logs (run_server.h). Empty: the log is for whichever asks
  // first, and the others run unobserved.
  std::string run_folder;
  JoinedProcess* joined = nullptr;  // it runs already, and waits for its log
};

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
  bool deadlocked() const { return deadlocked_; }  // that is why it was killed
  // Since the last call? Passes the signal on, if it is for the program, once that is running.
  bool summary_asked(bool is_running);
  void kill();  // at once

 private:
  void start(const std::vector<std::string>& command, const ChildOptions& options);
  void give_signals_back();
  void end_in_time();      // if it takes too long, or does not go on
  JoinedProcess* joined_;  // null: started by us
  pid_t pid_ = -1;
  std::optional<ExitStatus> status_;
  std::chrono::steady_clock::time_point deadline_;
  bool own_group_ = false;
  bool timed_out_ = false;
  std::optional<Standstill> standstill_;  // if deadlocks are looked for
  bool deadlocked_ = false;
};

}  // namespace isosan
