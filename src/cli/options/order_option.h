// --schedule FILE and --shuffle SEED (run, record): threads run one at a time, by a
// schedule that hunt saved, or at random. The scheduler is hunt's (hunt.md): the same file
// or the same seed gives the same run again.
//
// Law: such a run is logged in full, with fixed addresses, one processor, and as its input
// nothing or the file that is our stdin. It is the run that replay would make.
#pragma once

#include <CLI/App.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/options/harness_options.h"
#include "live/child.h"
#include "live/schedule_room.h"
#include "live/shared_log.h"

namespace isosan {

// Was the schedule made for another build of the program file, or of an instrumented library that it
// has loaded? False where that is not known.
bool is_other_binary(const Schedule& schedule, const std::string& program);
bool has_other_libraries(const Schedule& schedule, const std::vector<std::string>& modules);
std::vector<std::string> instrumented_modules(const SharedLog& log);  // their paths

// Throws UserError if the program, or an instrumented library that it has loaded, is another build
// than the schedule was made for: its operations differ.
void refuse_other_binary(const Schedule& schedule, const std::string& file,
                         const std::string& program);
void refuse_other_libraries(const Schedule& schedule, const std::string& file,
                            const std::vector<std::string>& modules);

class OrderOption {
 public:
  void declare(CLI::App& parser);
  bool given() const { return !file_.empty() || shuffle_.has_value(); }

  // Before the program starts: reads the schedule. Throws UserError,
  // InputError.
  void read(const std::vector<std::string>& command);
  SharedLogOptions of_log(SharedLogOptions asked) const;
  ChildOptions of_child(ChildOptions asked) const;
  void put(SharedLog& log) const;

  // After the run: did the scheduler end the program? Prints why.
  bool cut_short(const SharedLog& log, const ExitStatus& status) const;

 private:
  std::string file_;
  std::optional<std::uint64_t> shuffle_;
  WorldOptions world_;
  ScheduleRequest request_;
};

}  // namespace isosan
