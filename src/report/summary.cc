// The end of the text report: what was watched, what was not, and the last line.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/shown.h"
#include "report/text.h"

namespace isosan {
namespace {

std::string counted(std::uint64_t n, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", n, n == 1 ? one : many);
}
std::string findings_text(std::uint64_t n) { return counted(n, "finding", "findings"); }

// Of a RunRecord or WatchedProcess.
std::string threads_text(const auto& of) {
  std::string text = counted(of.threads, "thread", "threads");
  if (of.unobserved_threads != 0)
    text += fmt::format(" ({} more unobserved)", of.unobserved_threads);
  return text;
}

// The first few names, and how many more there are.
std::string listed(const std::vector<std::string>& names) {
  constexpr std::size_t kMost = 8;
  const std::vector<std::string> first(names.begin(),
                                       names.begin() + std::min(kMost, names.size()));
  const std::string more =
      names.size() > kMost ? fmt::format(" and {} more", names.size() - kMost) : std::string();
  return shown(fmt::format("{}", fmt::join(first, ", "))) + more;
}

std::vector<std::string> folded_texts(const std::vector<FoldedRegion>& folded) {
  std::vector<std::string> texts;
  for (const FoldedRegion& one : folded)
    texts.push_back(fmt::format("{} ({})", one.region, one.why));
  return texts;
}

std::string left_out_line(const RunRecord& run) {
  if (run.left_out.empty()) return "";
  std::vector<std::string> texts;
  for (const auto& one : run.left_out) texts.push_back(one.text);
  return fmt::format("IsoSan: functions that are no regions: {}{}\n", fmt::join(texts, ", "),
                     run.explained_regions.empty() ? " (--explain-regions lists them)" : "");
}

std::string waited_line(const std::vector<std::string>& names) {
  return fmt::format("IsoSan: region{} only until {} waited for other threads: {}\n",
                     names.size() == 1 ? "" : "s", names.size() == 1 ? "it" : "they",
                     listed(names));
}

std::string process_line(const WatchedProcess& process) {
  return fmt::format(
      "IsoSan:   pid {}, {}, {}{}{}: {}\n", process.pid, threads_text(process),
      findings_text(process.findings), process.error.empty() ? "" : ", not read to its end",
      process.ended_by.empty() ? "" : ", ended by " + process.ended_by, shown(process.command));
}

// The process that the record itself is about comes first: it was started first.
std::vector<WatchedProcess> all_processes(const RunRecord& run) {
  std::vector<WatchedProcess> all;
  if (run.pid != 0) {
    all.push_back({.pid = run.pid,
                   .command = run.input,
                   .findings = run.findings.size(),
                   .threads = run.threads,
                   .unobserved_threads = run.unobserved_threads,
                   .error = run.error,
                   .ended_by = run.ended_by,
                   .uncontended = run.uncontended});
  }
  all.insert(all.end(), run.processes.begin(), run.processes.end());
  return all;
}

// Of many processes those that somebody has to look at.
std::string process_lines(const std::vector<WatchedProcess>& all) {
  constexpr std::size_t kMost = 20;
  const auto is_plain = [](const WatchedProcess& p) {
    return p.findings == 0 && p.error.empty() && p.ended_by.empty();
  };
  std::string text;
  std::size_t left_out = 0;
  for (const WatchedProcess& process : all) {
    if (all.size() > kMost && is_plain(process)) {
      ++left_out;
    } else {
      text += process_line(process);
    }
  }
  if (left_out != 0) {
    text += fmt::format("IsoSan:   {}{} without findings\n", left_out, text.empty() ? "" : " more");
  }
  return text;
}

std::string watched_lines(const RunRecord& run) {
  const std::vector<WatchedProcess> all = all_processes(run);
  std::string text;
  if (all.size() == 1 && run.pid != 0) {
    text = fmt::format(
        "IsoSan: watched {} in {}\n", threads_text(run),
        counted(run.instrumented_modules.size(), "instrumented module", "instrumented modules"));
  } else if (!all.empty()) {
    text = fmt::format("IsoSan: watched {}:\n", counted(all.size(), "process", "processes")) +
           process_lines(all);
  }
  if (run.still_running != 0) {
    text += fmt::format("IsoSan: still running, and reported when they end: {}\n",
                        counted(run.still_running, "process", "processes"));
  }
  if (!run.unobserved.empty()) {
    std::vector<std::string> pids;
    for (const std::int64_t pid : run.unobserved) pids.push_back(std::to_string(pid));
    text += fmt::format(
        "IsoSan: processes with threads that nobody watched: pid {} (a child made by fork() is "
        "watched only if it executes a program: run it in the foreground, or as one process)\n",
        listed(pids));
  }
  return text;
}

std::string folded_line(const RunRecord& run) {
  std::vector<std::string> regions = folded_texts(run.folded);
  for (const WatchedProcess& process : run.processes) {
    for (const std::string& one : folded_texts(process.folded)) {
      if (std::ranges::find(regions, one) == regions.end()) regions.push_back(one);
    }
  }
  if (regions.empty()) return "";
  return fmt::format("IsoSan: not atomic, but hardly a bug (--all shows {}): {}\n",
                     regions.size() == 1 ? "it" : "them", listed(regions));
}

// A run in which threads did not meet says little.
std::string advice(const RunRecord& run) {
  const std::vector<WatchedProcess> all = all_processes(run);
  if (all.empty() || run.joined || run.still_running != 0) return "";
  if (std::ranges::all_of(all, [](const WatchedProcess& p) { return p.threads <= 1; })) {
    return "IsoSan: only one thread ran: nothing could happen between threads; run it with more\n";
  }
  if (std::ranges::all_of(all, [](const WatchedProcess& p) { return p.uncontended; })) {
    return "IsoSan: nothing was contended: no other thread touched what a region used while it "
           "ran; "
           "'isosan hunt' looks for schedules in which one does\n";
  }
  return "";
}

}  // namespace

std::string text_footer(const RunRecord& run) {
  std::string text;
  if (run.regions_known) {
    text += fmt::format("IsoSan: {}, {} of them entered\n",
                        run.regions_matched == 1
                            ? std::string("1 function is a region")
                            : fmt::format("{} functions are regions", run.regions_matched),
                        run.regions_entered);
    text += left_out_line(run);
  }
  for (const std::string& line : run.explained_regions)
    text += fmt::format("IsoSan:   {}\n", shown(line));
  if (!run.regions_that_waited.empty()) text += waited_line(run.regions_that_waited);
  std::vector<std::string> blind;
  for (const BlindModule& module : run.blind_modules) {
    if (!module.system) blind.push_back(shown(module.path));
  }
  if (!blind.empty()) {
    text += fmt::format("IsoSan: not instrumented, what happens there is not seen: {}\n",
                        fmt::join(blind, ", "));
  }
  if (run.racy_transfers != 0) {
    text += fmt::format(
        "IsoSan: {} not ordered by any synchronization; --strict records their exact order\n",
        counted(run.racy_transfers, "transfer of memory between threads was",
                "transfers of memory between threads were"));
  }
  text += folded_line(run);
  for (const std::string& note : run.notes) text += fmt::format("IsoSan: {}\n", shown(note));
  return text + watched_lines(run) + advice(run);
}

std::uint64_t findings_of_run(const RunRecord& run) {
  std::uint64_t findings = run.findings.size();
  for (const WatchedProcess& process : run.processes) findings += process.findings;
  return findings;
}

std::string text_summary(const RunRecord& run, Colour colour) {
  const std::uint64_t findings = findings_of_run(run);
  const std::size_t processes = run.processes.size() + (run.pid != 0 ? 1 : 0);
  std::string line =
      fmt::format("{}IsoSan: {}{}{}{}", run.joined ? "" : "SUMMARY: ", findings_text(findings),
                  run.processes.empty() ? "" : " in " + counted(processes, "process", "processes"),
                  run.error.empty() ? "" : ", up to where the input could not be read",
                  run.ended_by.empty() ? "" : "; the program was ended by " + run.ended_by);
  if (run.joined) line += fmt::format(" (pid {}: {})", run.pid, shown(run.input));
  return (colour == Colour::kNever || findings == 0 ? line : "\033[1;31m" + line + "\033[0m") +
         "\n";
}

}  // namespace isosan
