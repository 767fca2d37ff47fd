// What one hunt does with a corpus: it begins with the schedules there, and adds those of its own
// runs that show an ordered pair which no run before has shown.
//
// Every shard runs all the schedules that it begins with, as it does with observed runs: others are
// predicted from them. Without a folder nothing happens.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/shard.h"
#include "hunt/candidates.h"
#include "hunt/corpus.h"
#include "hunt/coverage.h"
#include "hunt/execution.h"

namespace isosan {

// How a hunt has used its corpus.
struct CorpusUse {
  std::string identity;  // of what it began with; empty: there is none
  std::uint64_t begun = 0, added = 0;
  std::vector<std::string> problems;  // what was passed over; one line each
};

class CorpusSession {
 public:
  CorpusSession(const std::string& folder, const Shard& shard);

  bool wanted() const { return corpus_.has_value(); }
  // After the first run.
  void begin(const std::vector<std::string>& build_ids);
  std::optional<Candidate> next();  // empty: all of them have been given out
  // A run that did not fail, and the pairs that it has shown.
  void learn(const Candidate& candidate, const Execution& execution,
             std::span<const std::uint64_t> shown);
  const CorpusUse& use() const { return use_; }

 private:
  std::optional<Corpus> corpus_;
  std::vector<CorpusEntry> read_;  // until begin()
  std::deque<Candidate> waiting_;
  std::vector<std::string> build_ids_;
  Coverage coverage_;  // of the corpus, and of all runs of this hunt
  CorpusUse use_;
};

}  // namespace isosan
