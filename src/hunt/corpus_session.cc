#include "hunt/corpus_session.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace isosan {
namespace {

constexpr std::size_t kMostSteps = 100'000;  // of a schedule that is kept

}  // namespace

CorpusSession::CorpusSession(const std::string& folder, const Shard& shard) {
  if (folder.empty()) return;
  corpus_.emplace(folder);
  CorpusContents contents =
      corpus_->read(shard.count > 1 ? Corpus::Part::kBegun : Corpus::Part::kAll);
  read_ = std::move(contents.entries);
  use_.identity = contents.identity;
  use_.problems = std::move(contents.problems);
}

void CorpusSession::begin(const std::vector<std::string>& build_ids) {
  build_ids_ = build_ids;
  std::size_t others = 0;
  for (CorpusEntry& entry : std::exchange(read_, {})) {
    if (entry.schedule.build_ids != build_ids) {
      ++others;
      continue;
    }
    coverage_.add(entry.pairs);
    Candidate candidate;
    candidate.request.schedule = std::move(entry.schedule);
    candidate.observed = candidate.seeded = true;
    waiting_.push_back(std::move(candidate));
  }
  if (others != 0) {
    use_.problems.push_back(
        fmt::format("{} schedule{} of the corpus {} of another build of the program; passed over",
                    others, others == 1 ? "" : "s", others == 1 ? "is" : "are"));
  }
}

std::optional<Candidate> CorpusSession::next() {
  if (waiting_.empty()) return std::nullopt;
  Candidate candidate = std::move(waiting_.front());
  waiting_.pop_front();
  ++use_.begun;
  return candidate;
}

void CorpusSession::learn(const Candidate& candidate, const Execution& execution,
                          std::span<const std::uint64_t> shown) {
  if (!wanted()) return;
  const bool is_new = coverage_.add(shown) > 0;
  const ScheduleOutcome& run = execution.schedule;
  const bool first = candidate.order == 0;  // every hunt makes that run
  if (!is_new || first || candidate.seeded || run.changes != run.taken.size() ||
      run.taken.size() > kMostSteps)
    return;
  CorpusEntry entry{schedule_of(execution), {shown.begin(), shown.end()}, {}};
  entry.schedule.build_ids = build_ids_;
  std::ranges::sort(entry.pairs);
  corpus_->add(entry);
  ++use_.added;
}

}  // namespace isosan
