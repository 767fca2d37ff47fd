#include "cli/output/run_summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "spec/intent.h"
#include "symbolize/member_names.h"
#include "symbolize/resolve.h"

namespace isosan {
namespace {

// Not instrumented in any program: a line about them would be no help.
constexpr std::string_view kSystem[] = {"libc.so",    "libm.so",    "libstdc++.so", "libgcc_s.so",
                                        "ld-linux",   "libpthread", "libdl.so",     "librt.so",
                                        "linux-vdso", "[vdso]",     "libisosan_rt", "libatomic.so"};

bool is_system(std::string_view path) {
  const std::string_view name = path.substr(path.rfind('/') + 1);
  for (const std::string_view known : kSystem) {
    if (name.starts_with(known)) return true;
  }
  return name.empty();
}

std::vector<Where> places_of(const Evidence& evidence) {
  std::vector<Where> places;
  for (const auto& [ordinal, step] : evidence) {
    for (const HeldLock& lock : step.locks) places.push_back(lock.taken);
    if (step.block) places.push_back(step.block->allocated);
  }
  return places;
}

std::vector<Address> locks_of(const Evidence& evidence) {
  std::vector<Address> locks;
  for (const auto& [ordinal, step] : evidence) {
    for (const HeldLock& lock : step.locks) locks.push_back(lock.lock);
  }
  return locks;
}

// Does an analysis have this counter, and it is 0?
bool is_zero(const RunRecord& record, std::string_view of, std::string_view counter) {
  for (const AnalysisStats& analysis : record.analyses) {
    if (analysis.analysis != of) continue;
    for (const Stat& stat : analysis.stats) {
      if (stat.name == counter) return stat.value == 0;
    }
  }
  return false;
}

// Nobody expects functions of the C++ library to be regions, or those that nobody named where only
// named ones are.
bool is_worth_a_word(LeftOut why) {
  return why != LeftOut::kNo && why != LeftOut::kLibrary && why != LeftOut::kOther;
}

// Each function once: one that the pass has seen may be in the tables again, by its program
// counter, where a call from it was intercepted.
std::vector<const Function*> functions_once(const Tables& tables) {
  std::set<std::pair<ModuleId, std::string_view>> of_pass;
  for (const Function& function : tables.functions) {
    if (function.pc == 0) of_pass.emplace(function.module, function.name);
  }
  std::vector<const Function*> functions;
  for (const Function& function : tables.functions) {
    if (function.name.empty()) continue;
    if (function.pc == 0 || !of_pass.contains({function.module, function.name}))
      functions.push_back(&function);
  }
  return functions;
}

void add_left_out(RunRecord& record, const Tables& tables, const Regions& regions) {
  std::map<LeftOut, std::uint64_t> counts;
  for (const Function* each : functions_once(tables)) {
    const Function& function = *each;
    const LeftOut why = regions.rules().why_not_atomic(function);
    ++counts[why];
    if (!regions.explains() || why == LeftOut::kLibrary) continue;
    record.explained_regions.push_back(
        why == LeftOut::kNo ? fmt::format("region: {}", function.name)
                            : fmt::format("none, {}: {}", left_out_text(why), function.name));
  }
  std::ranges::sort(record.explained_regions);
  for (const LeftOutText& text : kLeftOutTexts) {
    const std::uint64_t count = counts[text.why];
    if (count == 0 || !is_worth_a_word(text.why)) continue;
    record.left_out.push_back({std::string(text.one),
                               fmt::format("{} {}", count, count == 1 ? text.one : text.many),
                               count});
  }
}

// Without a block singletrack checks nothing: the run must not look clean.
bool lacks_blocks(const RunRecord& record) { return is_zero(record, "singletrack", "blocks"); }

void note_forgotten(RunRecord& record) {
  for (const auto& [analysis, stats] : record.analyses) {
    const auto forgotten = std::ranges::find(stats, "forgotten_bytes", &Stat::name);
    if (forgotten == stats.end() || forgotten->value == 0) continue;
    record.notes.push_back(
        fmt::format("{} forgot who had used {} KiB of memory: open regions had used more than a "
                    "run keeps, and findings may be missed ('isosan record' and 'isosan check' "
                    "forget nothing)",
                    analysis, forgotten->value >> 10));
  }
}

}  // namespace

bool has_no_dependence(const RunRecord& record) { return is_zero(record, "velodrome", "edges"); }

void describe_run(RunRecord& record, const RegionStage& stage, const Regions& regions) {
  const Tables& tables = stage.tables();
  record.regions_known = tables.functions.size() > 1;
  for (const Function* function : functions_once(tables)) {
    record.regions_matched += regions.rules().choose(*function).any();
  }
  record.regions_entered = stage.regions_entered();
  if (regions.rules().has_lock_scopes())
    record.notes.push_back(
        fmt::format("lock scopes that were entered: {}", stage.scopes_entered()));
  add_left_out(record, tables, regions);
  for (const FunctionId function : stage.ended_by_waiting())
    record.regions_that_waited.push_back(tables.functions[index(function)].name);
  for (const Module& module : tables.modules) {
    if (module.instrumented) {
      record.instrumented_modules.push_back(module.path);
    } else {
      record.blind_modules.push_back({module.path, is_system(module.path)});
    }
  }
  for (const std::string& line : regions.unused_suppressions()) record.notes.push_back(line);
  note_forgotten(record);
  if (lacks_blocks(record)) {
    record.notes.push_back(
        "singletrack: no deterministic region was entered, nothing was checked (--deterministic "
        "GLOB, ISOSAN_DETERMINISTIC)");
  }
}

void summarize_run(RunRecord& record, RegionStage& stage, const Regions& regions) {
  describe_run(record, stage, regions);
  resolve_places_of(record, stage.tables());
}

void resolve_places_of(const RunRecord& record, Tables& tables) {
  resolve_places(record.findings, places_of(record.evidence), tables);
  name_members(record.findings, locks_of(record.evidence), tables);
}

}  // namespace isosan
