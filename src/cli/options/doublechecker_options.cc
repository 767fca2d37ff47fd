#include "cli/options/doublechecker_options.h"

#include <fmt/format.h>

#include <CLI/Validators.hpp>

#include "base/user_error.h"
#include "cli/options/option_groups.h"

namespace isosan {

void DoubleCheckerFlags::declare(CLI::App& parser) {
  const option_group::Scope more(parser, option_group::kMore);
  parser
      .add_option("--mode", mode,
                  "doublechecker: everything in one run, or a cheap first run that names suspects "
                  "and a second one that looks at those (default single)")
      ->type_name("single|first|second|pcd-only")
      ->check(CLI::IsMember({"single", "first", "second", "pcd-only"}).description(""));
  parser
      .add_option("--suspects", suspects,
                  "The file that first runs write (each adds to it) and a second run reads")
      ->type_name("FILE");
  parser
      .add_option("--second-with", second_with,
                  "The analysis that a second run uses (default doublechecker)")
      ->type_name("doublechecker|velodrome")
      ->check(CLI::IsMember({"doublechecker", "velodrome"}).description(""));
  parser.add_flag("--always-unary", always_unary,
                  "A second run looks at code outside regions whatever the suspects say");
  parser
      .add_option("--arrays", arrays,
                  "Look at plain accesses that are neither fields nor variables? (default on)")
      ->type_name("on|off")
      ->check(CLI::IsMember({"on", "off"}).description(""));
  parser
      .add_option("--doublechecker-without", without,
                  "Leave out the search for components (and so all that follows), or the replay of "
                  "their logs, to see what these cost: nothing is found then")
      ->type_name("search|replay")
      ->check(CLI::IsMember({"search", "replay"}).description(""));
}

void count_suspects(const AccessFilterOptions& filter, const Tables& tables,
                    DoubleCheckerOptions& options) {
  if (!filter.suspects) return;
  options.is_counted = [names = filter.suspects->regions, &tables](RegionId region) {
    return names.contains(tables.regions[index(region)].name);
  };
}

DoubleCheckerRun::DoubleCheckerRun(const DoubleCheckerFlags& flags, AnalysisOptions& analyses)
    : flags_(flags) {
  const bool second = flags.mode == "second";
  const bool needs_file = second || is_first();
  if (flags.mode != "single" && analyses.names != "doublechecker") {
    throw UserError(fmt::format("--mode {} goes with --analysis doublechecker only", flags.mode));
  }
  if (needs_file && flags.suspects.empty()) {
    throw UserError(fmt::format("--mode {} needs --suspects FILE", flags.mode));
  }
  if (!needs_file && !flags.suspects.empty()) {
    throw UserError("--suspects goes with --mode first or --mode second");
  }
  if (!second && (!flags.second_with.empty() || flags.always_unary)) {
    throw UserError("--second-with and --always-unary go with --mode second");
  }
  std::get<DoubleCheckerOptions>(analyses.own) = {.log_accesses = !is_first(),
                                                  .search = flags.without != "search",
                                                  .replay = flags.without.empty(),
                                                  .found = &found_};
  analyses.pcd_only = flags.pcd_only();
  filter_.arrays = flags.arrays == "on";
  if (is_first()) check_that_suspects_can_be_added(flags.suspects);
  if (!second) return;
  filter_.suspects = read_suspects(flags.suspects);
  filter_.suspects->unary |= flags.always_unary;
  if (!flags.second_with.empty()) analyses.names = flags.second_with;
}

void DoubleCheckerRun::finish(const Tables& tables) const {
  if (!is_first()) return;
  SuspectedNames names{.runs = 1, .unary = found_.unary};
  for (const RegionId region : found_.regions) {
    names.regions.insert(tables.regions.at(index(region)).name);
  }
  const SuspectedNames all = add_to_suspects(flags_.suspects, names);
  fmt::print(stderr, "IsoSan: {} regions suspected{}; {} in {} after {} runs\n",
             names.regions.size(), names.unary ? ", code outside regions too" : "",
             all.regions.size(), flags_.suspects, all.runs);
}

}  // namespace isosan
