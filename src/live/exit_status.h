// How a process ended.
#pragma once

#include <string>

namespace isosan {

struct ExitStatus {
  int code = 0;
  int signal = 0;  // not 0: ended by it
};

ExitStatus exit_status_of(int wait_status);         // as of waitpid()
std::string signal_name(const ExitStatus& status);  // "SIGABRT"; empty: no signal ended it

// Ends this process as the program ended: by the same signal, or returns the exit code.
int exit_like(const ExitStatus& status);

}  // namespace isosan
