// The processes of one `isosan run`: the first, which it starts itself, and those that this one
// starts (live/run_server.h).
//
// Model: each process is watched by one isosan process, with the options of the run. For the first
// that is the run itself. Every other reports what it finds when its process ends, and leaves a
// result. The run adds those to its own report: one summary, one exit status.
//
// Law: the exit status of a process that the program started is its own, whatever is found in it.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "cli/output/reporting.h"
#include "event/tables.h"
#include "live/child.h"
#include "live/run_server.h"
#include "report/run_record.h"

namespace isosan {

bool started_by_program();  // the runtime of an instrumented program has called isosan run

class RunProcesses {
 public:
  // From here on, what the program starts is watched, each by a process of its own in which `watch`
  // is called; `report` names no files there. A line on stderr says so if that is not to be had.
  void serve(ReportOptions& report, const std::function<void()>& watch);

  // In a process for which `watch` was called: the one to be watched. Else null.
  JoinedProcess* joined() const { return joined_; }
  ChildOptions of_child(ChildOptions asked) const;

  // The rest is for when the process has ended.
  bool others_were_watched();  // also if that cannot be known any more
  // Throws UserError if nothing matches in any process of the run.
  void refuse_unmatched(const std::vector<std::string>& unmatched);
  // For a file that each of the processes adds to.
  void one_at_a_time(const std::function<void()>& action);
  void print(const std::string& text) const;  // to stderr, whole
  // Reports; returns the exit status of isosan.
  int conclude(RunRecord& record, const Tables& tables, const ReportOptions& options,
               Reporter& reporter, const ExitStatus& status);

 private:
  void finish();  // once: asks for the others' results
  void add_others(RunRecord& record);
  void leave_result(RunRecord& record, const Tables& tables, const ReportOptions& options) const;

  std::unique_ptr<RunServer> server_;
  JoinedProcess* joined_ = nullptr;
  bool wants_json_ = false;
  bool wants_sarif_ = false;
  bool finished_ = false;
  RunServer::Outcome outcome_;
  std::vector<WatchedProcess> others_;
};

}  // namespace isosan
