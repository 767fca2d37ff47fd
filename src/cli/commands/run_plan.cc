#include "cli/commands/run_plan.h"

#include "base/input_error.h"
#include "symbolize/elf_file.h"

namespace isosan {
namespace {

struct Fronts {  // that a program was built with
  bool pass = false, tsan = false;
};
Fronts fronts_of(const std::string& path) {
  try {
    const ElfFile file(path);
    return {file.needs_symbol("__isosan_"), file.needs_symbol("__tsan_")};
  } catch (const InputError&) {
    return {};  // a script, or a name to be looked for in PATH
  }
}

// Through the __tsan_* front C++20's barriers are the atomic operations inside them, and the filter
// of races does not keep the order of all of those: fasttrack looks at every access there.
bool orders_atomics_behind_filter(const RunOptions& options) {
  const Fronts fronts = fronts_of(options.command[0]);
  return fronts.pass && !fronts.tsan;
}

// Section 5 of SingleTrack: race-free plain accesses need no check of their own. FastTrack looks for
// nothing but races. With --strict the order of racing ones is needed, so all are decoded. Atomizer:
// an access that is not shared (Fig. 13), or handed over in an order that every schedule has, is
// always a both-mover.
Analysed when_analysed(const RunOptions& options, const JointNeeds& needs) {
  if (options.order.given() || options.strict) return Analysed::kLive;
  const auto& singletrack = std::get<SingleTrack::Options>(options.analyses.own);
  const bool by_races = needs.each.races && options.sync_edges == "on" && singletrack.filter;
  if (by_races && (needs.each.blocks || orders_atomics_behind_filter(options)))
    return Analysed::kByRaces;
  const auto& atomizer = std::get<AtomizerOptions>(options.analyses.own);
  const bool only_shared = atomizer.ordered_handover && atomizer.thread_local_data &&
                           atomizer.races == AtomizerOptions::RaceRule::kRelaxed;
  return needs.each.every_access && only_shared ? Analysed::kByShared : Analysed::kLive;
}

}  // namespace

SharedLogOptions log_options(const RunOptions& options) {
  return {.mode = options.full ? log::Mode::kFull : log::Mode::kLogged,
          .strict = options.strict,
          .sync_edges = options.sync_edges == "on",
          .noise = options.noise.probability(),
          .noise_seed = options.noise.seed()};
}

bool is_built_for_runtime(const std::string& path) {
  const Fronts fronts = fronts_of(path);
  return fronts.pass || fronts.tsan;
}

RunPlan::RunPlan(const RunOptions& options)
    : needs(needs_of(options.analyses.names)),
      analysed(when_analysed(options, needs)),
      log(log_options(options)),
      only_deterministic(needs.each.blocks),
      by_heuristic(!needs.each.units),
      dependences(needs.some.dependences && !options.doublechecker.pcd_only()) {
  log.unordered_granules = analysed != Analysed::kLive;
  log.locksets = analysed == Analysed::kByShared;
  if (analysed == Analysed::kLive && needs.some.every_access) log.mode = log::Mode::kFull;
  // In a schedule every access counts as a step, and schedules know none of vtable pointers.
  log.vtable_pointers = needs.some.races && !options.order.given();
  log.units = needs.each.units && !options.order.given();
  log.quiet = needs.each.cycles && !options.no_quiet && !options.doublechecker.pcd_only();
}

void RunPlan::look_at(const RegionRules& rules) {
  if (!rules.has_lock_scopes() || log.locksets) return;
  log.mode = log::Mode::kFull;
  log.quiet = false;
}

}  // namespace isosan
