#include "cli/commands/run_processes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <system_error>

#include "base/shown.h"
#include "base/user_error.h"
#include "cli/output/process_result.h"
#include "report/fold.h"
#include "report/json.h"
#include "report/sarif.h"
#include "report/text.h"
#include "runtime/contract/log_format.h"

namespace isosan {
namespace {

// In the process that watches one that the program has started: nothing leaves it but its result.
void watch_one(JoinedProcess& process, const std::function<void()>& watch) {
  try {
    watch();
  } catch (const std::exception& problem) {
    fmt::print(stderr, "isosan: process {} ({}): {}\n", process.pid(), shown(process.command()),
               shown(problem.what()));
    process.add_result(result_line({.number = process.number(),
                                    .pid = process.pid(),
                                    .command = process.command(),
                                    .error = problem.what()}));
  }
}

// The report as one piece of text: several processes may end at the same time.
std::string text_of(const RunRecord& record, const Tables& tables, const ReportOptions& options) {
  char* text = nullptr;
  std::size_t size = 0;
  std::FILE* memory = ::open_memstream(&text, &size);
  if (memory == nullptr) return {};
  Reporter(options, memory).report(record, tables);
  std::fclose(memory);
  std::string whole(text, size);
  std::free(text);
  return whole;
}

template <class List>
void keep_common(std::vector<std::string>& lines, const List& processes,
                 std::vector<std::string> WatchedProcess::*others) {
  std::erase_if(lines, [&](const std::string& line) {
    return std::ranges::any_of(processes, [&](const WatchedProcess& process) {
      return std::ranges::find(process.*others, line) == (process.*others).end();
    });
  });
}

}  // namespace

bool started_by_program() { return std::getenv(log::kStartedByProgram) != nullptr; }

void RunProcesses::serve(ReportOptions& report, const std::function<void()>& watch) {
  wants_json_ = !report.json.empty();
  wants_sarif_ = !report.sarif.empty();
  try {
    server_ = std::make_unique<RunServer>([&](JoinedProcess& process) {
      joined_ = &process;
      report.json.clear();
      report.sarif.clear();
      watch_one(process, watch);
    });
  } catch (const std::system_error& problem) {
    fmt::print(stderr, "isosan: programs that this one starts are not watched: {}\n",
               shown(problem.what()));
  }
}

ChildOptions RunProcesses::of_child(ChildOptions asked) const {
  asked.joined = joined_;
  if (server_ != nullptr) asked.run_folder = server_->folder();
  return asked;
}

void RunProcesses::finish() {
  if (finished_ || server_ == nullptr) return;
  finished_ = true;
  outcome_ = server_->finish();
  for (const std::string& line : outcome_.results) {
    std::optional<WatchedProcess> process = read_result(line);
    if (process) others_.push_back(std::move(*process));
    outcome_.complete &= process.has_value();
  }
  std::ranges::sort(others_, {}, &WatchedProcess::number);
}

void RunProcesses::print(const std::string& text) const {
  if (joined_ == nullptr) {
    std::fputs(text.c_str(), stderr);
    std::fflush(stderr);
    return;
  }
  joined_->print(
      fmt::format("IsoSan: process {}: {}\n{}", joined_->pid(), shown(joined_->command()), text));
}

bool RunProcesses::others_were_watched() {
  finish();
  return !others_.empty() || outcome_.still_running != 0 || !outcome_.complete;
}

void RunProcesses::refuse_unmatched(const std::vector<std::string>& unmatched) {
  if (joined_ != nullptr || unmatched.empty()) return;
  finish();
  std::vector<std::string> nowhere = unmatched;
  keep_common(nowhere, others_, &WatchedProcess::unmatched);
  if (!nowhere.empty() && outcome_.still_running == 0) throw UserError(nowhere.front());
}

void RunProcesses::one_at_a_time(const std::function<void()>& action) {
  if (joined_ != nullptr) return joined_->one_at_a_time(action);
  finish();  // the others are done then
  action();
}

void RunProcesses::add_others(RunRecord& record) {
  finish();
  if (record.pid == 0 && !others_.empty()) {
    refuse_unmatched(others_.front().unmatched);
    record.notes = others_.front().notes;
  }
  keep_common(record.notes, others_, &WatchedProcess::notes);
  record.processes = others_;
  record.unobserved.assign(outcome_.unobserved.begin(), outcome_.unobserved.end());
  record.still_running = outcome_.still_running;
  if (!outcome_.complete && record.error.empty())
    record.error = "a process that watches what the program starts was killed";
}

int RunProcesses::conclude(RunRecord& record, const Tables& tables, const ReportOptions& options,
                           Reporter& reporter, const ExitStatus& status) {
  if (!options.all) fold_findings(record, tables);
  if (joined_ != nullptr) {
    leave_result(record, tables, options);
    return kExitClean;
  }
  add_others(record);
  if (status.signal == 0) record.exit_status = status.code;
  const auto is_faulty = [](const WatchedProcess& one) { return !one.error.empty(); };
  if (started_by_program() && findings_of_run(record) == 0 && record.error.empty() &&
      std::ranges::none_of(record.processes, is_faulty)) {
    return exit_like(status);
  }
  const int verdict = reporter.report(record, tables);
  return verdict != kExitClean ? verdict : exit_like(status);
}

// A process without findings is in the run's summary, and nowhere else.
void RunProcesses::leave_result(RunRecord& record, const Tables& tables,
                                const ReportOptions& options) const {
  record.joined = true;
  if (!record.findings.empty() || !record.error.empty() || options.stats) {
    joined_->print(text_of(record, tables, options));
  }
  joined_->add_result(
      result_line({.number = joined_->number(),
                   .pid = record.pid,
                   .command = record.input,
                   .findings = record.findings.size(),
                   .threads = record.threads,
                   .unobserved_threads = record.unobserved_threads,
                   .error = record.error,
                   .ended_by = record.ended_by,
                   .uncontended = record.uncontended,
                   .folded = record.folded,
                   .unmatched = record.unmatched,
                   .notes = record.notes,
                   .json = wants_json_ ? json_report(record, tables) : "",
                   .sarif = wants_sarif_ ? sarif_report(record, tables, ISOSAN_VERSION) : ""}));
}

}  // namespace isosan
