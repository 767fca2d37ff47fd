#include "report/fold.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "report/names.h"

namespace isosan {
namespace {

struct Group {
  std::size_t kept = 0;  // index of the finding that stays
  std::size_t cycles = 0;
  std::uint64_t times = 0;
  std::set<std::string> with;  // regions of the cycles that do not stay
};

bool is_cycle_of_region(const Finding& finding) {
  return finding.kind == FindingKind::kAtomicityViolation && finding.region != kNoRegion;
}

// A region that is also blamed by a likely finding is told anyway.
void fold_unlikely(RunRecord& record, const Names& names) {
  std::set<std::string> told;
  for (const Finding& finding : record.findings)
    if (finding.unlikely.empty()) told.insert(cause_of(finding));
  std::set<std::string> folded;
  for (const Finding& finding : record.findings) {
    if (finding.unlikely.empty() || told.contains(cause_of(finding))) continue;
    if (folded.insert(cause_of(finding)).second)
      record.folded.push_back({names.region(finding.region), finding.unlikely});
  }
  std::erase_if(record.findings, [](const Finding& f) { return !f.unlikely.empty(); });
}

std::string note_of(const Group& group) {
  const std::size_t more = group.cycles - 1;
  std::string note =
      fmt::format("The region is blamed in {} more cycle{}", more, more == 1 ? "" : "s");
  if (!group.with.empty()) note += fmt::format(", with {}", fmt::join(group.with, ", "));
  return note + " (--all shows each).";
}

// Of few executions, or of none, nothing follows.
double share_broken(const Finding& finding) {
  constexpr std::uint64_t kFew = 4;
  const auto [contended, broken] = finding.executions;
  return contended < kFew ? 0 : static_cast<double>(broken) / static_cast<double>(contended);
}

}  // namespace

std::string cause_of(const Finding& finding) {
  if (!is_cycle_of_region(finding)) return fmt::format("{} {}", finding.analysis, finding.key);
  return fmt::format("{} region {}", finding.analysis, index(finding.region));
}

void fold_findings(RunRecord& record, const Tables& tables) {
  const Names names(tables);
  fold_unlikely(record, names);
  std::map<std::pair<std::string, RegionId>, Group> groups;
  for (std::size_t i = 0; i < record.findings.size(); ++i) {
    const Finding& finding = record.findings[i];
    if (!is_cycle_of_region(finding)) continue;
    Group& group = groups[{finding.analysis, finding.region}];
    const auto length = [&](std::size_t at) { return record.findings[at].transactions.size(); };
    if (group.cycles++ == 0 || length(i) < length(group.kept)) group.kept = i;
    group.times += finding.times;
  }
  std::vector<Finding> kept;
  for (std::size_t i = 0; i < record.findings.size(); ++i) {
    const Finding& finding = record.findings[i];
    if (!is_cycle_of_region(finding)) {
      kept.push_back(finding);
      continue;
    }
    Group& group = groups.at({finding.analysis, finding.region});
    if (i == group.kept) {
      kept.push_back(finding);
      kept.back().times = group.times;
      continue;
    }
    for (const FindingTransaction& one : finding.transactions) {
      if (one.region != kNoRegion && one.region != finding.region)
        group.with.insert(names.region(one.region));
    }
  }
  for (Finding& finding : kept) {
    if (!is_cycle_of_region(finding)) continue;
    const Group& group = groups.at({finding.analysis, finding.region});
    if (group.cycles > 1) finding.notes.push_back(note_of(group));
  }
  std::ranges::stable_sort(kept, {}, share_broken);
  record.findings = std::move(kept);
}

}  // namespace isosan
