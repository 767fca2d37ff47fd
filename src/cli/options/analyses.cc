#include "cli/options/analyses.h"

#include <fmt/format.h>

#include <algorithm>
#include <ranges>

#include "analysis/aerodrome/aerodrome.h"
#include "analysis/atomizer/atomizer.h"
#include "analysis/atomsanitizer/atomsanitizer.h"
#include "analysis/doublechecker/doublechecker.h"
#include "analysis/doublechecker/pcd_only.h"
#include "analysis/fasttrack/fasttrack.h"
#include "analysis/made_locks/made_locks.h"
#include "analysis/marathon/marathon.h"
#include "analysis/singletrack/singletrack.h"
#include "analysis/velodrome/velodrome.h"
#include "base/user_error.h"

namespace isosan {
namespace {

std::unique_ptr<AnyAnalysis> make_doublechecker(const AnalysisOptions& options) {
  return options.pcd_only ? make_exact<PcdOnly>(options) : make_exact<DoubleChecker>(options);
}

// Behind MadeLocks: a lock that the program makes of atomics is one.
class WithMadeLocks final : public Wrapped<Atomizer> {
 public:
  using Wrapped<Atomizer>::Wrapped;

  void feed(std::span<const Event> batch, std::span<const Dependence>,
            std::uint64_t first_ordinal) override {
    feed_decided(locks_.take(batch, first_ordinal));
  }
  void finish() override {
    feed_decided(locks_.finish());
    Wrapped<Atomizer>::finish();
  }

 private:
  void feed_decided(const MadeLocks::Decided& decided) {
    Wrapped<Atomizer>::feed(decided.events, {}, decided.first_ordinal);
  }

  MadeLocks locks_;
};

std::unique_ptr<AnyAnalysis> make_atomizer(const AnalysisOptions& options) {
  if (!options.of_analysis<AtomizerOptions>().atomic_idioms)
    return make_analysis<Atomizer>(options);
  return std::make_unique<WithMadeLocks>(options);
}

// SingleTrack's EMPTYTOOL: does nothing, to measure the cost of instrumentation and log.
struct Empty {
  struct Options {};
  using Handles = Events<>;
  Empty(FindingSink&, Options) {}
  void finish() {}
  Stats stats() const { return {}; }
};
static_assert(Analysis<Empty>);

constexpr AnalysisEntry kAnalyses[] = {
    {.name = "velodrome",
     .help = "conflict serializability by the graph of transactions: whole cycle, blame",
     .make = make_exact<Velodrome>,
     .needs = {.cycles = true}},
    {.name = "aerodrome",
     .help = "the same verdict by vector clocks, in linear time",
     .make = make_exact<Aerodrome>,
     .needs = {.cycles = true}},
    {.name = "atomsanitizer",
     .help = "the same verdict by tables of reachability between threads: the fastest",
     .make = make_exact<AtomSanitizer>,
     .needs = {.cycles = true}},
    {.name = "doublechecker",
     .help = "the same verdict in two steps: a cheap graph, exact where it has a cycle",
     .make = make_doublechecker,
     .needs = {.dependences = true, .cycles = true}},
    {.name = "atomizer",
     .help = "reducibility: windows in a region, even if nobody stepped into them",
     .make = make_atomizer,
     .needs = {.every_access = true, .nested = true}},
    {.name = "marathon",
     .help = "atomic sets: units of work on the fields of an object, however they are locked",
     .make = make_analysis<Marathon>,
     .needs = {.units = true, .nested = true}},
    {.name = "singletrack",
     .help = "determinism: no conflict inside a deterministic region, serializable outside",
     .make = make_analysis<SingleTrack>,
     .needs = {.nested = true, .blocks = true, .races = true}},
    {.name = "fasttrack",
     .help = "data races by happens-before",
     .make = make_analysis<FastTrack>,
     .needs = {.races = true}},
    {.name = "empty",
     .help = "nothing: reads the events and finds nothing, to measure the rest",
     .make = make_analysis<Empty>},
};

const AnalysisEntry& analysis_named(std::string_view name) {
  const auto* found = std::ranges::find(kAnalyses, name, &AnalysisEntry::name);
  if (found != std::end(kAnalyses)) return *found;
  throw UserError(
      fmt::format("unknown analysis '{}'; there are: {}", name,
                  fmt::join(kAnalyses | std::views::transform(&AnalysisEntry::name), ", ")));
}

}  // namespace

std::span<const AnalysisEntry> analyses() { return kAnalyses; }

std::vector<const AnalysisEntry*> analyses_named(std::string_view list) {
  std::vector<const AnalysisEntry*> chosen;
  for (const auto part : std::views::split(list, ',')) {
    const AnalysisEntry* entry = &analysis_named(std::string_view(part.begin(), part.end()));
    if (std::ranges::find(chosen, entry) == chosen.end()) chosen.push_back(entry);
  }
  if (chosen.empty()) analysis_named("");
  return chosen;
}

JointNeeds needs_of(std::string_view list) {
  constexpr bool Needs::*kAll[] = {&Needs::units,  &Needs::every_access, &Needs::dependences,
                                   &Needs::nested, &Needs::blocks,       &Needs::cycles,
                                   &Needs::races};
  static_assert(sizeof(Needs) == std::size(kAll));
  JointNeeds joint;
  const std::vector<const AnalysisEntry*> chosen = analyses_named(list);
  for (bool Needs::*need : kAll) {
    const auto has_it = [need](const AnalysisEntry* entry) { return entry->needs.*need; };
    joint.some.*need = std::ranges::any_of(chosen, has_it);
    joint.each.*need = std::ranges::all_of(chosen, has_it);
  }
  return joint;
}

// Atomizer, which needs every access, needs the calls of annotated functions only.
void leave_out_unneeded(RegionStage& stage, const JointNeeds& needs) {
  if (!needs.some.nested) stage.leave_out_nested();
  if (needs.each.every_access) {
    stage.pass_calls_of(kAnnotatedAssumeAtomic | kAnnotatedAssumeMover | kAnnotatedNoWarn);
  }
  if (needs.each.blocks || needs.each.units ||
      (needs.each.dependences && stage.has_dependences())) {
    stage.leave_walks_whole();
  }
}

std::string analyses_help() {
  std::string text = "Analyses:\n";
  for (const AnalysisEntry& entry : kAnalyses) {
    text += fmt::format("  {:<15} {}\n", entry.name, entry.help);
  }
  return text;
}

}  // namespace isosan
