// The server's half of run_server.h: what the forked process does.
#pragma once

#include <string>
#include <string_view>

#include "live/run_server.h"

namespace isosan {

// Results that are the server's own: a process that is not watched, by its id; a result is missing.
inline constexpr std::string_view kUnobservedLine = "unobserved ";
inline constexpr std::string_view kLostLine = "lost";

struct ServerDescriptors {
  std::string folder;
  int listener;  // both above those of stdin, stdout and stderr
  int control;   // the other end is the run's; it hangs up when the run has ended
};

// Serves until the run has ended and nobody is watched any more.
[[noreturn]] void serve_run(const ServerDescriptors& descriptors, const RunServer::Watch& watch);

void remove_run_folder(const std::string& folder);

}  // namespace isosan
