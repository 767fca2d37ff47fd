#include "spec/region_rules.h"

#include <algorithm>
#include <utility>

#include "spec/glob.h"

namespace isosan {
namespace {

// What one source of rules says about atomicity; nullopt: nothing.
std::optional<bool> atomic_by(const RuleSet& rules, const std::string& name) {
  if (any_matches(rules.not_atomic, name)) return false;
  if (any_matches(rules.atomic, name)) return true;
  return std::nullopt;
}

std::optional<bool> atomic_by_annotation(const Function& function) {
  if (function.annotations & kAnnotatedNotAtomic) return false;
  if (function.annotations & kAnnotatedAtomic) return true;
  return std::nullopt;
}

bool is_main(const Function& function) { return function.name == "main"; }

}  // namespace

std::optional<Heuristic> heuristic_named(std::string_view name) {
  for (const HeuristicName& entry : kHeuristics) {
    if (entry.name == name) return entry.heuristic;
  }
  return std::nullopt;
}

RegionRules::RegionRules(RuleSet command_line, RuleSet spec_file,
                         std::optional<Heuristic> heuristic, Assumptions assumptions)
    : command_line_(std::move(command_line)),
      spec_file_(std::move(spec_file)),
      assumptions_(std::move(assumptions)) {
  const bool named = command_line_.names_regions() || spec_file_.names_regions();
  heuristic_ = heuristic.value_or(named ? Heuristic::kAnnotated : Heuristic::kAuto);
}

std::optional<bool> RegionRules::atomic_by_rule(const Function& function) const {
  std::optional<bool> atomic = atomic_by(command_line_, function.name);
  if (!atomic) atomic = atomic_by(spec_file_, function.name);
  return atomic ? atomic : atomic_by_annotation(function);
}

LeftOut RegionRules::why_not_atomic(const Function& function) const {
  const std::optional<bool> by_rule = atomic_by_rule(function);
  if (!by_rule) return by_heuristic(function);
  return *by_rule ? LeftOut::kNo : LeftOut::kByRule;
}

RegionChoice RegionRules::choose(const Function& function) const {
  RegionChoice choice;
  choice.atomic = why_not_atomic(function) == LeftOut::kNo;
  choice.deterministic = any_matches(command_line_.deterministic, function.name) ||
                         any_matches(spec_file_.deterministic, function.name) ||
                         (function.annotations & kAnnotatedDeterministic) != 0;
  return choice;
}

LeftOut RegionRules::by_heuristic(const Function& function) const {
  const auto only = [](bool chosen) { return chosen ? LeftOut::kNo : LeftOut::kOther; };
  if (is_library_name(function.name)) return LeftOut::kLibrary;
  if (heuristic_ == Heuristic::kFunctions) return LeftOut::kNo;
  if (is_main(function)) return LeftOut::kMain;
  if (function.thread_entry) return LeftOut::kThreadEntry;
  switch (heuristic_) {
    case Heuristic::kAnnotated:
      return LeftOut::kOther;
    case Heuristic::kFunctions:
      return LeftOut::kNo;
    case Heuristic::kAuto: {
      const LeftOut why = function.waits_or_notifies ? LeftOut::kWaits : not_meant(function);
      const bool unshared = (function.annotations & kSharesNothing) != 0;
      return why == LeftOut::kNo && unshared ? LeftOut::kSharesNothing : why;
    }
    case Heuristic::kBroad:
      return function.waits_or_notifies ? LeftOut::kWaits : not_meant(function);
    case Heuristic::kMethods:
      return function.waits_or_notifies ? LeftOut::kWaits : LeftOut::kNo;
    case Heuristic::kSynch:
      return LeftOut::kOther;
    case Heuristic::kExportSynch:
      return only(function.external && function.accessibility != Accessibility::kPrivate &&
                  function.accessibility != Accessibility::kProtected);
  }
  return LeftOut::kOther;
}

bool RegionRules::scopes_in(const Function& function) const {
  return has_lock_scopes() && atomic_by_rule(function).value_or(true);
}

std::vector<std::string> RegionRules::unmatched(const std::vector<Function>& functions) const {
  std::vector<std::string> result = assumptions_.unmatched_functions(functions);
  for (const RuleSet* rules : {&command_line_, &spec_file_}) {
    for (const auto* globs : {&rules->atomic, &rules->not_atomic, &rules->deterministic}) {
      for (const std::string& glob : *globs) {
        const bool found = std::any_of(
            functions.begin(), functions.end(),
            [&](const Function& function) { return glob_matches(glob, function.name); });
        if (!found) result.push_back(glob);
      }
    }
  }
  return result;
}

}  // namespace isosan
