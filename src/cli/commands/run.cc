// isosan run and isosan record: start the program, read its log while it runs.
//
// An analysis that needs few accesses runs after the program has ended: singletrack and fasttrack
// need racing ones; atomizer those to words that are shared in no fixed order. The log is
// kept meanwhile. Plain accesses that the runtime has marked as not needed are not decoded.
//
// The program's stdin, stdout, stderr, signals and exit status are its own. The report goes to
// stderr after the program has ended, however it ended; findings of a program that runs on, before.
#include <fmt/format.h>
#include <sys/stat.h>

#include <csignal>
#include <functional>
#include <memory>
#include <string>
#include <system_error>
#include <vector>

#include "base/input_error.h"
#include "base/user_error.h"
#include "cli/commands/command.h"
#include "cli/commands/early_findings.h"
#include "cli/commands/run_plan.h"
#include "cli/commands/session.h"
#include "cli/commands/trace_check.h"
#include "cli/options/atomizer_rules.h"
#include "cli/options/option_groups.h"
#include "cli/options/unit_calls.h"
#include "cli/output/reporting.h"
#include "cli/output/run_summary.h"
#include "cli/output/scratch_trace.h"
#include "event/quiet_selection.h"
#include "live/child.h"
#include "live/live_log.h"
#include "live/live_source.h"
#include "live/shared_log.h"
#include "runtime/contract/run_socket.h"
#include "spec/region_stage.h"
#include "spec/selection.h"
#include "trace/native/trace_writer.h"

namespace isosan {
namespace {

// The runtime ends the program with this status and its own message if it cannot work: no
// room for the shadow, or another version of the log.
bool runtime_refused(const SharedLog& log, const RunOptions& options, const ExitStatus& status) {
  return log.header().attached.load() == 0 && status.signal == 0 && status.code == kExitError &&
         is_built_for_runtime(options.command[0]);
}

RunRecord record_of(const RunOptions& options) {
  return {.input = fmt::format("{}", fmt::join(options.command, " "))};
}

ChildOptions options_of_child(const RunOptions& options, const SharedLog& log) {
  ChildOptions child{.log_fd = log.fd(),
                     .summary_on_usr1 = true,
                     .ends_deadlocks = options.ends_deadlocks && !options.order.given()};
  if (options.allow_unobserved) child.environment = {{log::kAllowUnobserved, "1"}};
  return child;
}

// It has said so itself.
bool ran_unobserved(const SharedLog& log, const RunOptions& options) {
  return options.allow_unobserved && log.header().attached.load() == 0 &&
         is_built_for_runtime(options.command[0]);
}

std::string what_ended(Child& child) {
  return child.deadlocked() ? std::string(kEndedByDeadlock) : signal_name(*child.poll());
}

void note_process(RunRecord& record, const SharedLog& log, const Child& child) {
  record.pid = child.pid();
  record.threads = log.threads_seen();
  record.unobserved_threads = log.header().threads_unobserved.load();
}

bool has_rights_of_its_own(const std::string& program) {
  struct stat file = {};
  return ::stat(program.c_str(), &file) == 0 && (file.st_mode & (S_ISUID | S_ISGID)) != 0;
}

// A program without any logged access must not look clean, unless it started others that have some:
// the message says why. A program that was started by itself (the runtime called isosan) keeps its
// status: a configure probe must see that.
int without_accesses(const SharedLog& log, RunOptions& options, const ExitStatus& status,
                     Reporter* reporter = nullptr) {
  if (options.processes.joined() != nullptr) return kExitClean;
  if (reporter != nullptr && options.processes.others_were_watched()) {
    RunRecord record = record_of(options);
    record.ended_by = signal_name(status);
    return options.processes.conclude(record, Tables{}, options.report, *reporter, status);
  }
  if (started_by_program() || ran_unobserved(log, options)) return exit_like(status);
  if (runtime_refused(log, options, status)) return kExitError;
  const bool attached = log.header().attached.load() != 0;
  if (attached && log.header().children.load() != 0) {
    fmt::print(
        stderr,
        "isosan: '{}' went on in a child made by fork(), which is not watched: run it in the "
        "foreground, not as a daemon\n",
        options.command[0]);
    return kExitNothingSeen;
  }
  if (!attached && has_rights_of_its_own(options.command[0])) {
    fmt::print(
        stderr,
        "isosan: nothing of '{}' was seen: it has the set-user-ID or set-group-ID bit, and a "
        "program that gains rights is not watched\n",
        options.command[0]);
    return kExitNothingSeen;
  }
  fmt::print(stderr,
             "isosan: nothing of '{}' was instrumented{}: {}; build it with 'isosan cc' or 'isosan "
             "c++'\n",
             options.command[0], reporter != nullptr ? ", nor of what it started" : "",
             attached ? "no access was seen" : "it is not linked with the IsoSan runtime");
  return kExitNothingSeen;
}

// Writes the program's log to a trace while it runs; the caller finishes the trace. Returns the
// number of log units. Without any, an older file of this name stays.
std::uint64_t keep_log(
    LiveLog& live, TraceWriter& writer, const std::function<void()>& while_waiting = [] {}) {
  const auto write = [&](ThreadId thread, std::uint64_t position,
                         std::span<const log::LogUnit> units) {
    writer.write_units(thread, position, units, live.resolver(), live.tables());
  };
  const auto has_room = [](ThreadId) { return true; };
  std::uint64_t units = 0;
  const auto look = [&] {
    const bool first = units == 0;
    units += live.look(write, has_room);
    if (first && units > 0) writer.replace_old_file();
  };
  look();
  while (!live.child_ended()) {
    live.wait(/*blocked=*/false);
    look();
    while_waiting();
  }
  return units;
}

UserError no_room(const RunPlan& plan, const std::string& why) {
  return UserError(
      fmt::format("no room in $TMPDIR for the log of the run ({}): name another folder, or use "
                  "{}, which keeps no log",
                  why, plan.log.locksets ? "--strict" : "--no-race-free-filter"));
}

std::unique_ptr<ScratchTrace> scratch_trace(const RunPlan& plan) {
  try {
    return std::make_unique<ScratchTrace>();
  } catch (const std::system_error& problem) {
    throw no_room(plan, problem.code().message());
  }
}

// Else the process may still be ours, before it becomes the program.
bool is_running(const SharedLog& log) { return log.header().attached.load() != 0; }

int run_then_check(RunOptions& options, const RunPlan& plan) {
  Regions regions(options.regions);
  if (plan.only_deterministic) regions.only_deterministic_count();
  const DoubleCheckerRun mode(options.doublechecker, options.analyses);
  Reporter reporter(options.report, stderr);
  const std::unique_ptr<ScratchTrace> scratch = scratch_trace(plan);
  SharedLog log(plan.log);
  Child child(options.command, options.processes.of_child(options_of_child(options, log)));
  TraceWriter writer(scratch->path());
  LiveLog live(log, child, {.rules = &regions.rules(), .nested = plan.nested()});
  std::uint64_t units = 0;
  try {
    units = keep_log(live, writer, [&] {
      if (!child.summary_asked(is_running(log))) return;
      options.processes.print(
          "IsoSan: this analysis looks when the program has ended: nothing is known so far\n");
    });
    writer.finish(live.tables());
  } catch (const InputError& problem) {
    throw no_room(plan, problem.what());
  }
  if (live.damage().empty() && (units == 0 || log.header().accesses_seen.load() == 0)) {
    return without_accesses(log, options, *child.poll(), &reporter);
  }
  TraceCheck check({.path = scratch->path(),
                    .trace = {.validate = false,  // our own log, not a file
                              .walks = true,
                              .plain_only_at = log.unordered_granules()},
                    .filter = mode.filter(),
                    .limit = options.report.limit(),
                    .refuses_unmatched = false,
                    .reads_source = true},
                   options.analyses, regions);
  RunRecord record = check.run();
  options.processes.refuse_unmatched(record.unmatched);
  record.quotes_source = true;
  record.input = record_of(options).input;
  note_process(record, log, child);
  record.racy_transfers = log.header().racy_transfers.load();
  if (record.error.empty()) record.error = live.damage();
  record.ended_by = what_ended(child);
  return options.processes.conclude(record, check.stage().tables(), options.report, reporter,
                                    *child.poll());
}

int run(RunOptions& options) {
  RunPlan plan(options);
  if (plan.analysed != Analysed::kLive) return run_then_check(options, plan);
  if (!plan.by_heuristic) options.regions.without_heuristic();
  Regions regions(options.regions);
  if (plan.only_deterministic) regions.only_deterministic_count();
  plan.look_at(regions.rules());
  DoubleCheckerRun mode(options.doublechecker, options.analyses);
  Reporter reporter(options.report, stderr);
  if (mode.is_first()) plan.log.mode = log::Mode::kUnlogged;
  plan.log.unlogged_outside = mode.suspects() != nullptr && !mode.suspects()->unary;
  plan.log.arrays_off = !mode.filter().arrays;
  UnitCalls unit_calls(options.analyses.sets.rules());
  SharedLog log(options.order.of_log(plan.log));
  options.order.put(log);
  Child child(options.command,
              options.processes.of_child(options.order.of_child(options_of_child(options, log))));
  LiveSource live(log, child,
                  {.rules = plan.rules_of(regions),
                   .suspects = mode.suspects(),
                   .is_within_units = plan.log.units ? unit_calls.question() : nullptr,
                   .nested = plan.nested()});
  live.keep_walks();
  if (plan.dependences) live.enable_dependences();
  RegionStage stage(live, regions.rules());
  leave_out_unneeded(stage, plan.needs);
  AccessFilter source(stage, mode.filter());
  options.analyses.sync_edges = options.sync_edges == "on";
  options.analyses.tables = &stage.tables();
  options.analyses.limits.most = kMostLocations;
  tell_atomizer(regions, stage.tables(), /*reads_source=*/true,
                std::get<AtomizerOptions>(options.analyses.own));
  count_suspects(mode.filter(), stage.tables(),
                 std::get<DoubleCheckerOptions>(options.analyses.own));
  std::get<DoubleCheckerOptions>(options.analyses.own).markers = live.has_dependences();
  Session session(options.analyses, options.report.limit(), EvidenceFrom::kRun);
  EarlyFindings early(session, stage, regions, options.report,
                      [&](const std::string& text) { options.processes.print(text); });
  const auto look = [&] {
    early.look();
    if (!child.summary_asked(is_running(log))) return;
    RunRecord so_far = record_of(options);
    note_process(so_far, log, child);
    early.tell_so_far(std::move(so_far));
  };
  live.while_waiting(look);
  std::uint64_t events = 0;
  for (auto batch = source.next(); !batch.empty(); batch = source.next()) {
    session.feed(batch, source.dependences());
    events += batch.size();
    look();
  }
  session.finish();
  if (const std::uint32_t by = log.header().aborting_thread.load();
      by != 0 && child.poll()->signal == SIGABRT)
    session.aborted_by(ThreadId{by - 1});
  const bool cut_short = options.order.cut_short(log, *child.poll());
  const bool seen = events > 0 && log.header().accesses_seen.load() > 0;
  if (!cut_short && !seen && live.damage().empty()) {
    return without_accesses(log, options, *child.poll(), &reporter);
  }
  RunRecord record = record_of(options);
  record.unmatched = regions.unmatched(stage.tables());
  options.processes.refuse_unmatched(record.unmatched);
  note_process(record, log, child);
  record.quotes_source = true;
  session.fill(record);
  record.told = early.told();
  write_sets_file(options.analyses.sets, session.sets());
  regions.apply_suppressions(record, stage.tables());
  options.processes.one_at_a_time([&] { mode.finish(stage.tables()); });
  summarize_run(record, stage, regions);
  if (plan.log.quiet) {
    const SharedLog::Transactions all = log.transactions();
    record.analyses.push_back({"quiet",
                               {{"transactions", all.begun},
                                {"buffered", all.buffered},
                                {"dropped", all.dropped},
                                {"logged", all.begun - all.dropped},
                                {"kept", all.kept},
                                {"contended", all.contended}}});
    record.uncontended = all.contended == 0 || has_no_dependence(record);
  }
  record.regions_known &= plan.by_heuristic;
  if (!options.strict) record.racy_transfers = log.header().racy_transfers.load();
  record.error = live.damage();
  record.ended_by = what_ended(child);
  return options.processes.conclude(record, stage.tables(), options.report, reporter,
                                    *child.poll());
}

// A schedule is of one program: there the first instrumented process is watched, and no other.
int run_all(RunOptions& options) {
  options.report.name_files(options.command[0]);
  options.order.read(options.command);
  options.regions.read_spec();
  Regions(options.regions).refuse_unmatched_before(options.command[0]);
  if (!options.order.given()) {
    options.processes.serve(options.report, [&options] {
      options.command = {options.processes.joined()->command()};
      options.analyses.sets.print_to.clear();
      run(options);
    });
  }
  return run(options);
}

// For a recording for marathon only; otherwise none.
marathon::SetRules unit_rules(const RunOptions& options, const Regions& regions) {
  if (!options.units && !options.analyses.sets.read_from.empty()) {
    throw UserError("--sets-from is for --units here: 'isosan check' reads it otherwise");
  }
  if (options.units && (regions.select() || options.full || options.order.given())) {
    throw UserError(
        "--units is for marathon only: without --full, a schedule, and a selection of regions");
  }
  return options.analyses.sets.rules();
}

// A selection of regions is one for analyses of cycles, unless it has rules that none of them knows.
bool is_for_cycles(const RunOptions& options, const Regions& regions) {
  const RegionRules& rules = regions.rules();
  return regions.select() && !options.no_quiet && !options.full && !options.order.given() &&
         rules.command_line().deterministic.empty() && rules.spec_file().deterministic.empty() &&
         !rules.assumptions().any();
}

// Without a selection the recording is enough for any; with one, it has what run() would see.
int record(RunOptions& options) {
  const Regions regions(options.regions);
  const marathon::SetRules set_rules = unit_rules(options, regions);
  regions.refuse_unmatched_before(options.command[0]);
  TraceWriter writer(options.output);  // refused here if it cannot be written
  UnitCalls unit_calls(set_rules);
  SharedLogOptions asked = log_options(options);
  asked.units = options.units;
  if (regions.rules().has_lock_scopes()) asked.mode = log::Mode::kFull;
  asked.quiet = asked.mode != log::Mode::kFull && is_for_cycles(options, regions);
  asked.vtable_pointers =
      asked.mode != log::Mode::kFull && !asked.quiet && !asked.units && !options.order.given();
  SharedLog log(options.order.of_log(asked));
  options.order.put(log);
  Child child(options.command,
              options.order.of_child({.log_fd = log.fd(), .fixed_addresses = options.full}));
  LiveLog live(log, child,
               {.rules = regions.select() ? &regions.rules() : nullptr,
                .is_within_units = options.units ? unit_calls.question() : nullptr,
                .nested = options.full});
  if (regions.select()) live.tables().selection = selection_of(regions.rules());
  if (asked.quiet) live.tables().selection.push_back(quiet_rule());
  if (options.units) live.tables().selection = unit_selection(set_rules);
  const std::uint64_t units = keep_log(live, writer);
  if (units > 0) writer.finish(live.tables());
  const bool cut_short = options.order.cut_short(log, *child.poll());
  if (units == 0 && cut_short) writer.finish(live.tables());
  if (!live.damage().empty()) throw InputError(live.damage());  // what was read before is written
  const bool seen = asked.quiet ? log.header().accesses_seen.load() > 0 : units > 0;
  if (!seen && !cut_short) return without_accesses(log, options, *child.poll());
  regions.refuse_unmatched(live.tables());
  if (const std::string signal = signal_name(*child.poll()); !signal.empty())
    fmt::print(stderr, "isosan: the program was ended by {}\n", signal);
  return exit_like(*child.poll());
}

void declare_common(CLI::App& parser, RunOptions& options) {
  declare_program(parser, options.command);
  {
    const option_group::Scope run(parser, option_group::kRun);
    parser.add_flag("--strict", options.strict,
                    "Exact order of racing accesses too (dearer; docs/internals/runtime.md)");
    options.noise.declare(parser);
    options.order.declare(parser);
  }
  const option_group::Scope more(parser, option_group::kMore);
  parser
      .add_option("--sync-edges", options.sync_edges,
                  "Do lock, fork/join and similar orders count as dependences? (default on)")
      ->type_name("on|off")
      ->check(CLI::IsMember({"on", "off"}).description(""));
  parser.add_flag("--no-quiet", options.no_quiet,
                  "Log transactions that can be in no cycle, too (dearer, the same findings)");
}

}  // namespace

Action declare_run(CLI::App& parser) {
  auto options = std::make_shared<RunOptions>();
  declare_common(parser, *options);
  {
    const option_group::Scope run(parser, option_group::kRun);
    parser.add_flag("--end-deadlock", options->ends_deadlocks,
                    "End the program when each of its threads waits for another one for ever");
    parser.add_flag("--allow-unobserved", options->allow_unobserved,
                    "Run the program all the same where 'ulimit -v' leaves no room to observe it");
  }
  options->analyses.declare(parser);
  options->doublechecker.declare(parser);
  options->regions.declare(parser);
  options->report.declare(parser);
  return [options] { return run_all(*options); };
}

Action declare_record(CLI::App& parser) {
  auto options = std::make_shared<RunOptions>();
  declare_common(parser, *options);
  parser.add_option("-o", options->output, "The trace to write")->required()->type_name("FILE");
  parser.add_flag("--full", options->full,
                  "Every operation, not only what is new (prediction, hunt); fixed addresses");
  parser.add_flag("--units", options->units, "For marathon only, which is cheaper");
  options->analyses.sets.declare_reading(parser);
  options->regions.declare(parser);
  parser.footer(
      "With a selection of regions the program logs only what that selection needs, which is\n"
      "cheaper, and 'isosan check' can use no other. Without: good for every selection.\n"
      "A selection is for velodrome, aerodrome, atomsanitizer and doublechecker: transactions\n"
      "that can be in no cycle are left out. With --no-quiet, --deterministic or assumptions in\n"
      "the spec file they are not, and other analyses, but marathon, can use the trace.");
  return [options] {
    options->order.read(options->command);
    return record(*options);
  };
}

}  // namespace isosan
