#include "cli/session.h"

#include <algorithm>

namespace isosan {

Session::Session(const AnalysisOptions& options, std::uint64_t limit) : limit_(limit) {
  options.sets.refuse_without_marathon(options.names);
  for (const AnalysisEntry* entry : analyses_named(options.names)) {
    chosen_.push_back({.name = entry->name, .analysis = entry->make(options)});
    running_.push_back(chosen_.back().analysis.get());
  }
}

void Session::feed(std::span<const Event> batch, std::span<const Dependence> dependences) {
  for (AnyAnalysis* analysis : running_) analysis->feed(batch, dependences, events_);
  history_.feed(batch, events_);
  events_ += batch.size();
  collect_evidence();
  std::erase_if(running_, [&](const AnyAnalysis* analysis) {
    return limit_ != 0 && analysis->findings().size() >= limit_;
  });
}

// While it is fresh: the history does not reach back far.
void Session::collect_evidence() {
  for (Chosen& one : chosen_) {
    const std::vector<Finding>& findings = one.analysis->findings();
    for (; one.findings_seen < findings.size(); ++one.findings_seen) {
      for (const FindingStep& step : findings[one.findings_seen].steps) {
        evidence_.try_emplace(step.where.ordinal, history_.of(step));
      }
    }
  }
}

void Session::finish() {
  for (AnyAnalysis* analysis : running_) analysis->finish();
  collect_evidence();
}

const InferredSets* Session::sets() const {
  for (const Chosen& one : chosen_) {
    if (const auto* sets = one.analysis->sets()) return sets;
  }
  return nullptr;
}

void Session::tell(RunRecord& record) const {
  record.events = events_;
  record.evidence = evidence_;
  for (const auto& [name, analysis, seen] : chosen_) {
    const std::vector<Finding>& all = analysis->findings();
    const auto shown = limit_ == 0 ? all.size() : std::min<std::size_t>(limit_, all.size());
    record.findings.insert(record.findings.end(), all.begin(),
                           all.begin() + static_cast<long>(shown));
    record.analyses.push_back({std::string(name), analysis->stats()});
  }
}

}  // namespace isosan
