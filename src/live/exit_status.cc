#include "live/exit_status.h"

#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <cstdio>

namespace isosan {

ExitStatus exit_status_of(int wait_status) {
  if (WIFSIGNALED(wait_status)) return {0, WTERMSIG(wait_status)};
  return {WEXITSTATUS(wait_status), 0};
}

std::string signal_name(const ExitStatus& status) {
  if (status.signal == 0) return {};
  const char* name = ::sigabbrev_np(status.signal);
  return name != nullptr ? std::string("SIG") + name : "signal " + std::to_string(status.signal);
}

int exit_like(const ExitStatus& status) {
  if (status.signal == 0) return status.code;
  const rlimit no_core{0, 0};  // the program has written its own core file
  ::setrlimit(RLIMIT_CORE, &no_core);
  std::fflush(nullptr);
  ::signal(status.signal, SIG_DFL);
  ::raise(status.signal);
  return 128 + status.signal;
}

}  // namespace isosan
