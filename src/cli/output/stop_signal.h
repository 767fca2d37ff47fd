// Ctrl-C, SIGTERM and SIGHUP ask for an end with a report of what was done.
#pragma once

#include <signal.h>

#include <atomic>

namespace isosan {

inline std::atomic<bool>& stop_signal() {
  static std::atomic<bool> stop{false};
  return stop;
}

inline void stop_when_asked() {
  stop_signal();  // before a handler could be the first to ask for it
  struct sigaction action {};
  action.sa_handler = [](int) { stop_signal() = true; };
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) ::sigaction(signal, &action, nullptr);
}

}  // namespace isosan
