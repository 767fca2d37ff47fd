#include "cli/options/analysis_options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/Error.hpp>
#include <ranges>
#include <string_view>

#include "cli/options/analyses.h"
#include "cli/options/option_groups.h"

namespace isosan {
namespace {

// atomizer.md says what each of them is.
struct Refinement {
  std::string_view name;
  bool AtomizerOptions::*on;
};
constexpr Refinement kRefinements[] = {
    {"reentrant", &AtomizerOptions::reentrant_locks},
    {"thread-local-locks", &AtomizerOptions::thread_local_locks},
    {"thread-local-locks2", &AtomizerOptions::thread_local_locks2},
    {"protected-locks", &AtomizerOptions::protected_locks},
    {"write-protected", &AtomizerOptions::write_protected},
    {"lone-thread", &AtomizerOptions::lone_thread},
    {"lone-regions", &AtomizerOptions::lone_regions},
    {"split-at-barrier", &AtomizerOptions::split_at_barrier},
    {"ordered-handover", &AtomizerOptions::ordered_handover},
    {"quiet-threads", &AtomizerOptions::quiet_threads},
    {"split-at-join", &AtomizerOptions::split_at_join},
    {"second-looks", &AtomizerOptions::second_looks},
    {"split-at-fork", &AtomizerOptions::split_at_fork},
    {"innermost", &AtomizerOptions::innermost},
    {"back-offs", &AtomizerOptions::back_offs},
    {"seen-handover", &AtomizerOptions::seen_handover},
    {"late-windows", &AtomizerOptions::late_windows},
    {"late-accesses", &AtomizerOptions::late_accesses},
    {"atomic-idioms", &AtomizerOptions::atomic_idioms},
};

// "a,b", or "all".
void leave_out(std::string_view list, AtomizerOptions& options) {
  for (const auto part : std::views::split(list, ',')) {
    const std::string_view name(part.begin(), part.end());
    bool known = false;
    for (const Refinement& each : kRefinements) {
      if (name != "all" && name != each.name) continue;
      options.*each.on = false;
      known = true;
    }
    if (known) continue;
    throw CLI::ValidationError(
        "--atomizer-without",
        fmt::format("no refinement '{}'; there are: all, {}", name,
                    fmt::join(kRefinements | std::views::transform(&Refinement::name), ", ")));
  }
}

void declare_atomizer(CLI::App& parser, AtomizerOptions& options) {
  parser
      .add_option_function<std::string>(
          "--atomizer-without", [&options](const std::string& list) { leave_out(list, options); },
          "atomizer without these of its refinements, or without all (docs/analyses/atomizer.md)")
      ->type_name("A[,B...]|all");
  parser.add_flag("--relaxed-atomics-move", options.relaxed_atomics_move,
                  "atomizer: relaxed atomic operations are both-movers");
  parser.add_flag("--split-at-wait", options.split_every_wait,
                  "atomizer: a condition wait cuts every region in two");
}

void declare_marathon(CLI::App& parser, MarathonOptions& options) {
  constexpr struct {
    const char* name;
    bool MarathonOptions::*splits;
    const char* what;
  } kSplits[] = {
      {"--no-split-at-wait", &MarathonOptions::split_at_wait,
       "a wait for a condition or a semaphore"},
      {"--no-split-at-barrier", &MarathonOptions::split_at_barrier, "a barrier"},
      {"--no-split-at-fork", &MarathonOptions::split_at_fork, "starting a thread"},
      {"--no-split-at-join", &MarathonOptions::split_at_join, "joining a thread"},
  };
  for (const auto& each : kSplits) {
    parser.add_flag_callback(
        each.name, [&options, splits = each.splits] { options.*splits = false; },
        fmt::format("marathon: {} does not end a unit of work", each.what));
  }
}

}  // namespace

void AnalysisOptions::declare(CLI::App& parser) {
  names = kDefaultAnalysis;
  const option_group::Scope analysis(parser, option_group::kAnalysis);
  parser
      .add_option("--analysis", names,
                  "Analyses, separated by commas (default " + std::string(kDefaultAnalysis) + ")")
      ->type_name("A[,B...]");
  const option_group::Scope more(parser, option_group::kMore);
  parser.add_flag("--count-retries", count_retries,
                  "velodrome and its like: what a region only tries or looks at again counts, too");
  declare_atomizer(parser, std::get<AtomizerOptions>(own));
  parser.add_flag_callback(
      "--no-race-free-filter", [this] { std::get<SingleTrack::Options>(own).filter = false; },
      "singletrack, fasttrack: look at race-free accesses, too, while the program runs");
  sets.declare(parser);
  declare_marathon(parser, std::get<MarathonOptions>(own));
  parser.footer(analyses_help());
}

}  // namespace isosan
