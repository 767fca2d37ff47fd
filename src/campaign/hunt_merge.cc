#include "campaign/hunt_merge.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace isosan::campaign {
namespace {

using Json = HuntMerge::Json;

// Every shard does this alike. All else is counted by the shard that does it.
const std::set<std::string> kAlike = {"observed", "predicted", "in-observed-run", "left", "pairs"};
constexpr char kFirstFailure[] = "first-failure";  // a place in the order of all
constexpr char kNotRun[] = "not-run";

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = from.empty() ? text.npos : text.find(from);
  return at == text.npos ? text : text.replace(at, from.size(), to);
}

}  // namespace

void HuntMerge::add(const Json& report) {
  if (first_.is_null()) {
    first_ = report;
    for (const char* merged : {"shard", "findings", "schedules"}) first_.erase(merged);
  }
  add_stats(report.at("stats"));
  if (report.contains("schedules")) add_schedules(report.at("schedules"));
  for (const Json& finding : report.at("findings")) {
    const auto [known, is_new] = findings_.try_emplace(finding.at("key"), finding);
    if (!is_new && finding.at("order") < known->second.at("order")) known->second = finding;
  }
}

void HuntMerge::add_schedules(const Json& schedules) {
  std::map<std::string, std::uint64_t> times;
  for (const Json& one : schedules) {
    Json what = one;
    what.erase("verdict");
    what.erase("why");
    const std::string text = what.dump();
    const auto [at, is_new] = places_.try_emplace({text, times[text]++}, schedules_.size());
    if (is_new) {
      schedules_.push_back(one);
    } else if (schedules_[at->second].at("verdict") == kNotRun) {
      schedules_[at->second] = one;
    }
  }
}

void HuntMerge::add_stats(const Json& stats) {
  for (const auto& [name, value] : stats.at("analyses").at("hunt").items()) {
    const auto [counter, is_new] = counters_.try_emplace(name, 0);
    if (is_new) counter_names_.push_back(name);
    const auto count = value.get<std::uint64_t>();
    if (kAlike.contains(name)) {
      counter->second = std::max(counter->second, count);
    } else if (name == kFirstFailure) {
      if (count != 0 && (counter->second == 0 || count < counter->second)) counter->second = count;
    } else {
      counter->second += count;
    }
  }
  const std::vector<std::string> warnings = stats.value("warnings", std::vector<std::string>());
  for (const std::string& warning : warnings) {
    if (std::ranges::find(warnings_, warning) == warnings_.end()) warnings_.push_back(warning);
  }
  if (stopped_.empty()) stopped_ = stats.value("stopped", "");
  if (input_.empty()) input_ = stats.value("input", "");
}

std::vector<Json> HuntMerge::findings() const {
  std::vector<Json> all;
  for (const auto& [key, finding] : findings_) all.push_back(finding);
  std::ranges::stable_sort(all, {},
                           [](const Json& one) { return one.at("order").get<std::uint64_t>(); });
  return all;
}

std::vector<std::string> HuntMerge::schedules() const {
  std::vector<std::string> texts;
  for (const Json& finding : findings()) texts.push_back(finding.at("schedule_text"));
  return texts;
}

std::uint64_t HuntMerge::counter(const std::string& name) const {
  const auto found = counters_.find(name);
  return found == counters_.end() ? 0 : found->second;
}

Json HuntMerge::report(const std::string& folder, const std::string& program) const {
  Json report = first_;
  report["findings"] = Json::array();
  std::size_t number = 0;
  for (Json& finding : findings()) {
    const std::string path = fmt::format("{}/{}.{}.schedule", folder, program, ++number);
    for (Json& note : finding["notes"])
      note = replaced(note, finding.at("schedule").get<std::string>(), path);
    finding["schedule"] = path;
    for (const char* of_shards : {"order", "key", "schedule_text"}) finding.erase(of_shards);
    report["findings"].push_back(finding);
  }
  report["schedules"] = schedules_;
  Json& stats = report["stats"];
  for (const std::string& name : counter_names_)
    stats["analyses"]["hunt"][name] = counters_.at(name);
  for (const char* name : {"warnings", "stopped"}) stats.erase(name);
  if (!warnings_.empty()) stats["warnings"] = warnings_;
  if (!stopped_.empty()) stats["stopped"] = stopped_;
  if (!input_.empty()) stats["input"] = input_;
  return report;
}

}  // namespace isosan::campaign
