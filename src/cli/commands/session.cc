#include "cli/commands/session.h"

#include <algorithm>

namespace isosan {

Session::Session(const AnalysisOptions& options, std::uint64_t limit, EvidenceFrom evidence)
    : limit_(limit), evidence_from_(evidence) {
  options.sets.refuse_without_marathon(options.names);
  for (const AnalysisEntry* entry : analyses_named(options.names)) {
    chosen_.push_back({.name = entry->name, .analysis = entry->make(options)});
    running_.push_back(chosen_.back().analysis.get());
  }
}

void Session::feed(std::span<const Event> batch, std::span<const Dependence> dependences) {
  for (AnyAnalysis* analysis : running_) analysis->feed(batch, dependences, events_);
  if (during_run()) history_.feed(batch, events_);
  events_ += batch.size();
  if (during_run()) collect_evidence();
  std::erase_if(running_, [&](const AnyAnalysis* analysis) {
    return limit_ != 0 && analysis->findings().size() >= limit_;
  });
}

// As soon as possible: the history does not reach back far.
void Session::collect_evidence() {
  for (Chosen& one : chosen_) {
    const std::vector<Finding>& findings = one.analysis->findings();
    const std::uint64_t replaced = one.analysis->findings_replaced();
    if (replaced != one.replaced_seen) one.findings_seen = 0;
    one.replaced_seen = replaced;
    for (; one.findings_seen < findings.size(); ++one.findings_seen) {
      for (const FindingStep& step : findings[one.findings_seen].steps) {
        if (evidence_from_ == EvidenceFrom::kRun || history_.reaches(step.where.ordinal)) {
          evidence_.try_emplace(step.where.ordinal, history_.of(step));
        } else {
          too_old_ = true;
        }
      }
    }
  }
}

void Session::finish() {
  for (AnyAnalysis* analysis : running_) analysis->finish();
  if (during_run()) collect_evidence();
}

void Session::aborted_by(ThreadId thread) {
  for (AnyAnalysis* analysis : running_) analysis->aborted_by(thread);
  if (during_run()) collect_evidence();
}

bool Session::needs_second_reading() const {
  return too_old_ || (evidence_from_ == EvidenceFrom::kSecondReading &&
                      std::ranges::any_of(chosen_, [](const Chosen& c) {
                        return !c.analysis->findings().empty();
                      }));
}

void Session::look_up(EventSource& same_events) {
  std::vector<const FindingStep*> wanted;
  for (const Chosen& one : chosen_) {
    for (const Finding& finding : one.analysis->findings()) {
      for (const FindingStep& step : finding.steps) {
        if (!evidence_.contains(step.where.ordinal)) wanted.push_back(&step);
      }
    }
  }
  std::ranges::sort(wanted, {}, [](const FindingStep* step) { return step->where.ordinal; });
  history_ = {};
  std::uint64_t read = 0;
  for (auto next = wanted.begin(); next != wanted.end();) {
    const std::span<const Event> batch = same_events.next();
    if (batch.empty()) return;
    history_.feed(batch, read);
    read += batch.size();
    for (; next != wanted.end() && (*next)->where.ordinal < read; ++next) {
      evidence_.try_emplace((*next)->where.ordinal, history_.of(**next));
    }
  }
}

std::size_t Session::findings() const {
  std::size_t count = 0;
  for (const Chosen& one : chosen_) count += one.analysis->findings().size();
  return count;
}

const InferredSets* Session::sets() const {
  for (const Chosen& one : chosen_) {
    if (const auto* sets = one.analysis->sets()) return sets;
  }
  return nullptr;
}

void Session::fill(RunRecord& record) const {
  record.events = events_;
  record.evidence = evidence_;
  for (const auto& [name, analysis, seen, replaced] : chosen_) {
    const std::vector<Finding>& all = analysis->findings();
    const auto shown = limit_ == 0 ? all.size() : std::min<std::size_t>(limit_, all.size());
    record.findings.insert(record.findings.end(), all.begin(),
                           all.begin() + static_cast<long>(shown));
    record.analyses.push_back({std::string(name), analysis->stats()});
  }
}

}  // namespace isosan
