#include "cli/options/region_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

#include "base/user_error.h"
#include "cli/options/option_groups.h"
#include "cli/options/unit_calls.h"
#include "event/quiet_selection.h"
#include "live/program_functions.h"
#include "spec/selection.h"

namespace isosan {
namespace {

std::set<std::string> heuristic_names() {
  std::set<std::string> names;
  for (const HeuristicName& entry : kHeuristics) names.insert(std::string(entry.name));
  return names;
}

std::string matches_nothing(const std::string& glob) {
  return fmt::format("'{}' matches no function of the program", glob);
}

}  // namespace

void RegionOptions::declare(CLI::App& parser) {
  const option_group::Scope regions(parser, option_group::kRegions);
  const auto globs = [&](const char* name, std::vector<std::string>& list, const char* help) {
    parser.add_option(name, list, help)->type_name("GLOB")->allow_extra_args(false);
  };
  globs("--atomic", command_line.atomic, "Functions that should be atomic (repeatable)");
  globs("--not-atomic", command_line.not_atomic, "Functions that need not be (repeatable)");
  globs("--deterministic", command_line.deterministic,
        "Functions that should be deterministic (repeatable)");
  parser
      .add_option("--spec", spec, "Spec file: regions and suppressions (docs/reference/regions.md)")
      ->type_name("FILE");
  parser.add_option("--regions", heuristic, "What else should be atomic (default auto)")
      ->type_name("auto|broad|methods|synch|export+synch|functions|annotated")
      ->check(CLI::IsMember(heuristic_names()).description(""));
  parser.add_flag("--explain-regions", explain,
                  "List the program's functions: which are regions, which are not, and why");
}

void RegionOptions::read_spec() {
  if (!spec.empty()) spec_file = std::make_shared<SpecFile>(read_spec_file(spec));
}

Regions::Regions(const RegionOptions& options) : explains_(options.explain) {
  if (options.spec_file != nullptr) {
    spec_ = *options.spec_file;
  } else if (!options.spec.empty()) {
    spec_ = read_spec_file(options.spec);
  }
  std::optional<Heuristic> heuristic;
  if (!options.heuristic.empty()) heuristic = heuristic_named(options.heuristic);
  rules_ = RegionRules(options.command_line, spec_.rules, heuristic, spec_.assume);
  select_ = heuristic || options.command_line.any() || spec_.rules.any() || spec_.assume.any();
}

void Regions::settle_with_recording(const Tables& tables, const RecordingNeeds& needs) {
  if (tables.selection.empty()) return;
  const auto refuse = [&](const char* why) {
    throw UserError(fmt::format("recorded for {} only; record without a selection {}",
                                selection_text(tables.selection), why));
  };
  if (is_unit_selection(tables.selection)) {
    if (needs.units.empty()) refuse("for other analyses");
    if (includes_units(tables.selection, needs.units)) return;
    refuse("to say afterwards what is a unit");
  }
  if (needs.every_edge) refuse("for an analysis of units of work");
  std::vector<SelectionRule> chosen = selection_of(rules_);
  if (is_quiet(tables.selection)) chosen.push_back(quiet_rule());
  if (select_ && chosen != tables.selection) refuse("to choose regions afterwards");
  if (is_quiet(tables.selection) && !needs.only_cycles) refuse("or with --no-quiet for others");
  rules_ = rules_of(tables.selection);
}

std::vector<std::string> Regions::unmatched(const Tables& tables) const {
  std::vector<std::string> lines;
  for (const std::string& glob : rules_.unmatched(tables.functions))
    lines.push_back(matches_nothing(glob));
  for (const std::string& data : rules_.assumptions().unmatched_data(tables))
    lines.push_back(fmt::format("'{}' matches no field or global that the program uses", data));
  for (const std::string& line : rules_.assumptions().unmatched_lines(tables))
    lines.push_back(fmt::format("'{}' is not a line that the program has run", line));
  return lines;
}

void Regions::refuse_unmatched_before(const std::string& program) const {
  if (rules_.unmatched({}).empty()) return;  // there are no globs
  const auto functions = functions_before_run(program);
  if (!functions) return;
  const std::vector<std::string> globs = rules_.unmatched(*functions);
  if (!globs.empty()) throw UserError(matches_nothing(globs.front()));
}

void Regions::refuse_unmatched(const Tables& tables) const {
  const std::vector<std::string> lines = unmatched(tables);
  if (!lines.empty()) throw UserError(lines.front());
}

void Regions::apply_suppressions(RunRecord& record, const Tables& tables) {
  std::erase_if(record.findings, [&](const Finding& finding) {
    return suppress(spec_.suppressions, finding, tables) != nullptr;
  });
}

bool Regions::suppresses(const std::string& analysis, RegionId region, const Tables& tables) const {
  return std::ranges::any_of(spec_.suppressions, [&](const Suppression& rule) {
    return covers(rule, analysis, region, tables);
  });
}

std::vector<std::string> Regions::unused_suppressions() const {
  std::vector<std::string> lines;
  for (const Suppression& rule : spec_.suppressions) {
    if (rule.used == 0)
      lines.push_back(fmt::format("suppression of {} was not used", name_of(rule)));
  }
  return lines;
}

}  // namespace isosan
