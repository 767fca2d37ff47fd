// How the programs that a watched program starts get logs of their own.
//
// Model: `isosan run` has a server that listens on a socket in a folder that only its user can
// enter. The environment names the folder, so every program of the run knows it. A program sends
// one Request. For kWatch the server answers with the descriptor of a log that is this program's
// alone; if it closes the connection instead, the program runs unobserved.
//
// Law: the log that ISOSAN_LOG_FD names is for one process, where ISOSAN_LOG_PID names one.
#pragma once

namespace isosan::log {

inline constexpr const char* kRunFolderVariable = "ISOSAN_RUN";
inline constexpr const char* kRunSocketName = "socket";  // in that folder
inline constexpr const char* kLogProcessVariable = "ISOSAN_LOG_PID";
// isosan run sets it: the program may run unobserved where there is no room for the shadow.
inline constexpr const char* kAllowUnobserved = "ISOSAN_ALLOW_UNOBSERVED";

enum class Request : char {
  kWatch = 'w',       // a program has started and asks for a log
  kUnobserved = 'u',  // a forked process starts threads; nobody watches it
};

}  // namespace isosan::log
