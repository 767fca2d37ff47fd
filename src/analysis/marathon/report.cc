#include "analysis/marathon/report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <vector>

namespace isosan::marathon {
namespace {

// Where its smallest rotation begins (Booth's algorithm with two candidates): it is the same for a
// cycle that starts at another unit.
std::size_t smallest_rotation(const std::vector<std::string>& names) {
  std::size_t best = 0, other = 1, same = 0;
  while (best < names.size() && other < names.size() && same < names.size()) {
    const std::string& a = names[(best + same) % names.size()];
    const std::string& b = names[(other + same) % names.size()];
    if (a == b) {
      ++same;
      continue;
    }
    (a < b ? other : best) += same + 1;
    if (best == other) ++other;
    same = 0;
  }
  return std::min(best, other);
}

template <class F>
void for_each_conflict(const Cycle& cycle, F&& f) {
  for (std::size_t i = 0; i < cycle.size(); ++i) {
    for (const Conflict& conflict : cycle[i].conflicts) f(conflict, i, (i + 1) % cycle.size());
  }
}

std::string field_name(const Conflict& conflict, const Tables& tables) {
  for (const SiteId id : {conflict.from.site, conflict.to.site}) {
    const Site& site = tables.sites[index(id)];
    if (!site.field.empty()) return site.class_name + "::" + site.field;
  }
  for (const Symbol& symbol : tables.symbols) {
    if (conflict.address >= symbol.address && conflict.address < symbol.address + symbol.size) {
      return symbol.name;
    }
  }
  return fmt::format("{:#x}", conflict.address);
}

void describe_sets(Finding& finding, const Cycle& cycle, const SetModel& model,
                   const Tables& tables) {
  std::set<SetId> sets;
  std::set<std::string> names, fields;
  for_each_conflict(cycle, [&](const Conflict& conflict, std::size_t, std::size_t) {
    sets.insert(model.find(static_cast<SetId>(conflict.set)));
    fields.insert(field_name(conflict, tables));
  });
  for (const SetId id : sets) {
    const AtomicSet& set = model.at(id);
    const std::string& name = model.name_of(id);
    names.insert(name.empty() ? fmt::format("memory at {:#x}", set.object) : name);
    if (!set.on_heap) continue;
    finding.transactions.push_back({.thread = set.allocated.thread, .begin = set.allocated});
    finding.steps.push_back({.transaction = finding.transactions.size() - 1,
                             .where = set.allocated,
                             .operation = Kind::kAllocate,
                             .address = set.object,
                             .role = "object allocated at"});
  }
  finding.subject = fmt::format("{}", fmt::join(names, " + "));
  finding.notes.push_back(
      fmt::format("atomic set {}; involved: {}", finding.subject, fmt::join(fields, ", ")));
}

}  // namespace

std::string unit_name(const UnitInfo& unit, const Tables& tables) {
  if (unit.region != kNoRegion && index(unit.region) < tables.regions.size()) {
    return tables.regions[index(unit.region)].name;
  }
  if (unit.function == kNoFunction) return "access outside every unit";
  return tables.functions[index(unit.function)].name;
}

void add_conflict(Finding& finding, const Conflict& conflict, std::size_t from, std::size_t to) {
  const auto step = [&](const AccessPoint& point, std::size_t transaction) {
    finding.steps.push_back({.transaction = transaction,
                             .where = {point.ordinal, finding.transactions[transaction].thread,
                                       point.site, point.context},
                             .operation = point.operation,
                             .address = conflict.address,
                             .size = conflict.size});
  };
  step(conflict.from, from);
  step(conflict.to, to);
  finding.edges.push_back({finding.steps.size() - 2, finding.steps.size() - 1, EdgeReason::kData});
}

Finding cycle_finding(const Cycle& cycle, const ConflictGraph& graph, const SetModel& model,
                      const Tables& tables) {
  Finding finding{.analysis = kAnalysisName, .kind = FindingKind::kSetViolation};
  std::vector<std::string> with_threads;
  for (const CycleEdge& edge : cycle) {
    const UnitInfo& unit = graph.info(edge.from);
    finding.transactions.push_back({.thread = unit.begin.thread,
                                    .region = unit.region,
                                    .begin = unit.begin,
                                    .finished = graph.finished(edge.from),
                                    .function = unit.function});
    with_threads.push_back(
        fmt::format("{} (thread {})", unit_name(unit, tables), index(unit.begin.thread)));
  }
  for_each_conflict(cycle, [&](const Conflict& conflict, std::size_t from, std::size_t to) {
    add_conflict(finding, conflict, from, to);
  });
  describe_sets(finding, cycle, model, tables);
  finding.message = fmt::format(
      "units of work on {} are not serializable: {} before {}, by the order of their accesses; no "
      "order of the {} units explains the run",
      finding.subject, fmt::join(with_threads, " before "), with_threads.front(), cycle.size());
  return finding;
}

std::string cycle_key(const Cycle& cycle, const std::string& subject, const ConflictGraph& graph,
                      const Tables& tables) {
  std::vector<std::string> names;
  for (const CycleEdge& edge : cycle) names.push_back(unit_name(graph.info(edge.from), tables));
  const auto first = static_cast<std::ptrdiff_t>(smallest_rotation(names));
  std::rotate(names.begin(), names.begin() + first, names.end());
  return fmt::format("{}:{}:{}", subject, cycle.size(), fmt::join(names, ">"));
}

}  // namespace isosan::marathon
