// --schedule FILE and --shuffle SEED (run, record): threads take turns, one at a time, as a
// schedule that hunt saved says or by chance. The scheduler is hunt's (docs/hunt.md): the same file
// and the same seed give the same run again.
//
// Law: a run in an order is logged in full, has fixed addresses, one processor, and as its input
// nothing or the file that ours is; it is the run that replay would make.
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

// Throws UserError: the program, or an instrumented library that it has loaded, is another build
// than the schedule was made for. Its operations are others.
void refuse_other_binary(const Schedule& schedule, const std::string& file,
                         const std::string& program);
void refuse_other_libraries(const Schedule& schedule, const std::string& file,
                            const SharedLog& log);

class OrderOption {
 public:
  void declare(CLI::App& parser);
  bool given() const { return !file_.empty() || shuffle_.has_value(); }

  // Before the program starts: what the log and the process need for it. Throws UserError,
  // InputError.
  void read(const std::vector<std::string>& command);
  SharedLogOptions of_log(SharedLogOptions asked) const;
  ChildOptions of_child(ChildOptions asked) const;
  void put(SharedLog& log) const;

  // When it has ended: did the scheduler end it, and not the program? A line says why.
  bool cut_short(const SharedLog& log, const ExitStatus& status) const;

 private:
  std::string file_;
  std::optional<std::uint64_t> shuffle_;
  WorldOptions world_;
  ScheduleRequest request_;
};

}  // namespace isosan
