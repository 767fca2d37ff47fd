// A debugger for a program that has stopped along its schedule (ScheduleRequest::stop_after).
#pragma once

#include <string>

#include "live/child.h"
#include "live/shared_log.h"

namespace isosan {

// To be called while the program runs. When it has stopped, gdb is attached, in the thread that goes
// on next, at its innermost line that is the user's; the program goes on when gdb is left. Without a
// terminal the command is printed, and the program waits for whoever runs it.
class StopWatch {
 public:
  // where: "before the intruding access"
  StopWatch(const SharedLog& log, Child& child, std::string where)
      : log_(log), child_(child), where_(std::move(where)) {}
  void look();

 private:
  const SharedLog& log_;
  Child& child_;
  const std::string where_;
  bool reported_ = false;
};

}  // namespace isosan
