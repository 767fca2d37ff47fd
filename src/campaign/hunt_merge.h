// The reports of `isosan hunt --shard I/N`, merged: what one hunt would have reported.
//
// Model: every shard makes the same observed runs, and so the same list of predicted schedules; it
// runs its own. So a schedule has the outcome of the shard that ran it. Of failures with the same key
// the one stays that a single hunt would have met first. Counters of what a shard has run are added;
// those of what all shards do alike are taken once.
//
// Memory: of what was merged so far, not of the reports.
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

namespace isosan::campaign {

class HuntMerge {
 public:
  using Json = nlohmann::ordered_json;

  void add(const Json& report);  // throws Json::exception: no report of a hunt

  // The merged report, as json.md says. The n-th finding's schedule is the file
  // FOLDER/PROGRAM.n.schedule; schedules() has its text.
  Json report(const std::string& folder, const std::string& program) const;
  std::vector<std::string> schedules() const;
  std::uint64_t counter(const std::string& name) const;

 private:
  void add_schedules(const Json& schedules);
  void add_stats(const Json& stats);
  std::vector<Json> findings() const;  // in the order in which a single hunt meets them

  Json first_;                            // the first report, without what is merged
  std::map<std::string, Json> findings_;  // by key
  // By what they are, and how many of the same came before in a report.
  std::map<std::pair<std::string, std::uint64_t>, std::size_t> places_;
  std::vector<Json> schedules_;
  std::map<std::string, std::uint64_t> counters_;
  std::vector<std::string> counter_names_;  // as reported
  std::vector<std::string> warnings_;
  std::string stopped_, input_;
};

}  // namespace isosan::campaign
