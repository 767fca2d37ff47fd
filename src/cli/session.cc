#include "cli/session.h"

#include <algorithm>

namespace isosan {

Session::Session(const AnalysisOptions& options, std::uint64_t limit) : limit_(limit) {
  options.sets.refuse_without_marathon(options.names);
  for (const AnalysisEntry* entry : analyses_named(options.names)) {
    chosen_.push_back({entry->name, entry->make(options)});
    running_.push_back(chosen_.back().analysis.get());
  }
}

void Session::feed(std::span<const Event> batch, std::span<const Dependence> dependences) {
  for (AnyAnalysis* analysis : running_) analysis->feed(batch, dependences, events_);
  events_ += batch.size();
  std::erase_if(running_, [&](const AnyAnalysis* analysis) {
    return limit_ != 0 && analysis->findings().size() >= limit_;
  });
}

void Session::finish() {
  for (AnyAnalysis* analysis : running_) analysis->finish();
}

const InferredSets* Session::sets() const {
  for (const Chosen& one : chosen_) {
    if (const auto* sets = one.analysis->sets()) return sets;
  }
  return nullptr;
}

void Session::tell(RunRecord& record) const {
  record.events = events_;
  for (const auto& [name, analysis] : chosen_) {
    const std::vector<Finding>& all = analysis->findings();
    const auto shown = limit_ == 0 ? all.size() : std::min<std::size_t>(limit_, all.size());
    record.findings.insert(record.findings.end(), all.begin(),
                           all.begin() + static_cast<long>(shown));
    record.analyses.push_back({std::string(name), analysis->stats()});
  }
}

}  // namespace isosan
