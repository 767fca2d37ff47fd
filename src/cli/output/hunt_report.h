// The report of a hunt: each finding as it is found, the counts of Penelope's Table 1 at the end;
// JSON and SARIF as elsewhere.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "hunt/hunt.h"

namespace isosan {

class HuntReport {
 public:
  // Paths (empty: not wanted), and the options that a replay needs to judge as the hunt did.
  HuntReport(std::string json, std::string sarif, std::string replay_options);

  // Before anything is added: the report is that of a shard, for `isosan merge` (large-suites.md).
  void of_shard(nlohmann::json shard) { shard_ = std::move(shard); }
  // Further options that a replay needs, each with a space before it.
  void replays_with(const std::string& options) { replay_options_ += options; }
  void warn(const std::string& text);
  void stopped(const std::string& why);                     // before everything was tried
  void add_tried(const std::vector<TriedSchedule>& tried);  // to the JSON
  void add(const ConfirmedFailure& confirmed, const std::string& schedule_path,
           const std::vector<std::string>& command);
  void used_corpus(const std::string& folder, const CorpusUse& use);
  // If nothing was found: what a build at -O0 would have more.
  void compiled_with_optimisation();
  void finish(const HuntCounts& counts, const std::string& strategy, double seconds);

 private:
  std::string json_path_, sarif_path_, replay_options_;
  nlohmann::json json_, sarif_;  // of all findings so far
  nlohmann::json shard_;         // null: all of the work
  std::size_t found_ = 0;
};

}  // namespace isosan
