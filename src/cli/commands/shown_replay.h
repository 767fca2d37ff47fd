// One run along a schedule, as the user sees it: as it is, in a debugger, or change by change.
//
// A debugger and a walk need to know the run: it is made once before, and recorded. So the program
// can be stopped at any operation of it, and goes on as it would have.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/options/harness_options.h"
#include "event/schedule.h"
#include "hunt/execution.h"
#include "hunt/observation.h"
#include "hunt/switches.h"

namespace isosan {

struct ReplayArguments {
  std::string file;
  std::vector<std::string> command;
  bool gdb = false, step = false, test = false;
  HarnessOptions harness;
};

class ShownReplay {
 public:
  ShownReplay(const ReplayArguments& arguments, const Schedule& saved, const Harness& harness)
      : arguments_(arguments), saved_(saved), harness_(harness) {}

  // Prints how it ends. Returns the exit status; empty: a library that the program has loaded is of
  // another build than the saved schedule, and the places can be looked for.
  std::optional<int> run(const Schedule& schedule) const;

 private:
  std::optional<int> debug(const Stop& stop, const std::string& where) const;
  std::optional<int> debug_intruder(const RecordedRun& run, const Schedule& schedule) const;
  std::optional<int> run_along(const ScheduleRequest& wanted, const std::string& stops) const;
  bool is_of_other_libraries(const Schedule& schedule,
                             const std::vector<std::string>& modules) const;
  void refuse_hopeless(const Execution& execution) const;
  int report(const Execution& execution) const;

  const ReplayArguments& arguments_;
  const Schedule& saved_;
  const Harness& harness_;
};

}  // namespace isosan
