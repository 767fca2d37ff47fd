// The program under observation: started with the log's descriptor, its stdin, stdout, stderr,
// signals and exit status its own.
//
// Terminal signals (SIGINT, SIGQUIT) reach the program by itself: isosan ignores them while it
// runs, to be there for the report. Signals sent to isosan (SIGTERM, SIGHUP, SIGUSR1, SIGUSR2,
// SIGCONT) are passed on.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace isosan {

struct ChildOptions {
  int log_fd = -1;
  bool fixed_addresses = false;  // no address randomisation (recording for replay)
  std::vector<std::pair<std::string, std::string>> environment;  // added
};

struct ExitStatus {
  int code = 0;
  int signal = 0;  // not 0: ended by it
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

 private:
  pid_t pid_ = -1;
  std::optional<ExitStatus> status_;
};

// Ends this process as the program ended: by the same signal, or returns the exit code.
int exit_like(const ExitStatus& status);

}  // namespace isosan
