// Gives logs to the programs that a run's program starts (contract/run_socket.h), so that every
// instrumented process of the run is watched.
//
// Model: a process, forked before the program starts. For each request it forks one more, which
// makes a log, hands it over and watches that one program to its end (`Watch`). Each leaves its
// result as a line (run_results.h). Neither is a child or a parent of a program of the run.
//
//   isosan run ──forks──▶ the program ──forks──▶ a program it starts
//       └─────forks──▶ the server ──forks──▶ who watches that one
//
// Law: the run does not wait for programs that outlive it. Those who watch them go on, and so does
// the server as long as there is one; none of them keeps a pipe of the run open then. Without a
// server (no room in $TMPDIR) programs run as ever, and only the first is watched.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "live/joined_process.h"

namespace isosan {

class RunServer {
 public:
  using Watch = std::function<void(JoinedProcess&)>;

  explicit RunServer(const Watch& watch);  // throws std::system_error
  ~RunServer();                            // the run has ended
  RunServer(const RunServer&) = delete;
  RunServer& operator=(const RunServer&) = delete;

  const std::string& folder() const { return folder_; }

  struct Outcome {
    std::vector<std::string> results;  // of processes that have ended
    std::vector<pid_t> unobserved;     // forked, with threads, and not watched
    std::uint64_t still_running = 0;   // watched, and not ended yet
    bool complete = true;              // false: the server, or one that watched, was killed
  };
  Outcome finish();  // when the program has ended

 private:
  std::string folder_;
  void wait_for_end() const;

  pid_t server_ = -1;
  int control_ = -1;
};

}  // namespace isosan
