// Which functions are regions: the rules, and the decision for one function.
//
// Precedence: the first that decides wins: command line, spec file, annotations in the source,
// heuristic. Within one of the first three, "not atomic" wins over "atomic": it only subtracts. A
// function can be atomic and deterministic at once. Globs match the qualified name
// (regions.md); a glob that matches no function of the program is an error, reported by
// unmatched().
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "event/tables.h"
#include "spec/assumptions.h"
#include "spec/intent.h"

namespace isosan {

enum class Heuristic : std::uint8_t {
  kAnnotated,
  kAuto,
  kBroad,
  kMethods,
  kSynch,
  kExportSynch,
  kFunctions,
};

struct HeuristicName {
  Heuristic heuristic;
  std::string_view name;
  std::string_view help;
};
inline constexpr HeuristicName kHeuristics[] = {
    {Heuristic::kAnnotated, "annotated", "only what is named or annotated"},
    {Heuristic::kAuto, "auto",
     "broad, of functions that deal with what threads share: they use locks or atomics, or their "
     "class holds some"},
    {Heuristic::kBroad, "broad",
     "methods, without lambdas, bodies of tests and of OpenMP, static initializers, system "
     "headers"},
    {Heuristic::kMethods, "methods",
     "all functions but main, thread entries, and functions that wait or notify"},
    {Heuristic::kSynch, "synch", "lock scopes: from the acquire of a lock to its release"},
    {Heuristic::kExportSynch, "export+synch",
     "public members and functions with external linkage, and lock scopes"},
    {Heuristic::kFunctions, "functions", "all functions, main and thread entries included"},
};
std::optional<Heuristic> heuristic_named(std::string_view name);

// One source of rules (the command line, or one spec file).
struct RuleSet {
  std::vector<std::string> atomic;
  std::vector<std::string> not_atomic;
  std::vector<std::string> deterministic;

  bool names_regions() const { return !atomic.empty() || !deterministic.empty(); }
  bool any() const { return names_regions() || !not_atomic.empty(); }
};

struct RegionChoice {
  bool atomic = false;
  bool deterministic = false;

  bool any() const { return atomic || deterministic; }
};

class RegionRules {
 public:
  RegionRules() = default;
  // Without `heuristic` the default holds: auto, or annotated as soon as regions were named.
  RegionRules(RuleSet command_line, RuleSet spec_file, std::optional<Heuristic> heuristic,
              Assumptions assumptions = {});

  RegionChoice choose(const Function& function) const;
  LeftOut why_not_atomic(const Function& function) const;  // kNo: it is
  // Are lock scopes (lock_scopes.h) regions; those of this function?
  bool has_lock_scopes() const {
    return heuristic_ == Heuristic::kSynch || heuristic_ == Heuristic::kExportSynch;
  }
  bool scopes_in(const Function& function) const;
  const RuleSet& command_line() const { return command_line_; }
  const RuleSet& spec_file() const { return spec_file_; }
  Heuristic heuristic() const { return heuristic_; }
  const Assumptions& assumptions() const { return assumptions_; }

  // No analysis asks about atomic regions: then deterministic regions make accesses one
  // transaction.
  void only_deterministic_count() { only_deterministic_ = true; }
  bool only_deterministic() const { return only_deterministic_; }

  // Globs that match none of the functions, for the error message.
  std::vector<std::string> unmatched(const std::vector<Function>& functions) const;

 private:
  LeftOut by_heuristic(const Function& function) const;
  std::optional<bool> atomic_by_rule(const Function& function) const;

  RuleSet command_line_;
  RuleSet spec_file_;
  Heuristic heuristic_ = Heuristic::kAuto;
  Assumptions assumptions_;
  bool only_deterministic_ = false;
};

}  // namespace isosan
