#include "suite/findings/shard_result.h"

#include <fmt/format.h>

#include <fstream>
#include <iterator>

#include "suite/findings/sighting_json.h"

namespace isosan::suite {
namespace {

std::string text_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

Json shard_json(const SuiteResult& result, const Json& header,
                const std::vector<std::uint64_t>& places) {
  Json json = to_json(result);
  json["shard"] = header;
  json["places"] = places;
  json["sightings"] = to_json(result.sightings);
  for (Json& one : json["sightings"]) {
    const std::string schedule = one.at("schedule");
    if (!schedule.empty()) one["schedule_text"] = text_of(schedule);
  }
  return json;
}

void SuiteMerge::add(const Json& report) {
  const SuiteResult result = result_in(report);
  const std::vector<Sighting> sightings = sightings_in(report.at("sightings"));
  const std::vector<std::uint64_t> places = report.at("places");
  complete_ = complete_ && result.complete;
  seconds_ += result.seconds;
  for (std::size_t i = 0; i < result.tests.size(); ++i) {
    Part& part = parts_[places.at(i)];
    part.test = result.tests[i];
    for (std::size_t j = 0; j < sightings.size(); ++j) {
      if (sightings[j].test != part.test.name) continue;
      Sighting one = sightings[j];
      if (one.failed()) {
        const std::string path =
            fmt::format("{}/{}.{}.schedule", folder_, places[i] + 1, part.sightings.size() + 1);
        schedules_[path] = report.at("sightings")[j].value("schedule_text", "");
        if (const std::size_t at = one.replay.find(one.schedule); at != one.replay.npos)
          one.replay.replace(at, one.schedule.size(), path);
        one.schedule = path;
      }
      part.sightings.push_back(std::move(one));
    }
  }
}

SuiteResult SuiteMerge::result() const {
  SuiteResult result;
  result.complete = complete_;
  result.seconds = seconds_;
  for (const auto& [place, part] : parts_) {
    result.tests.push_back(part.test);
    result.sightings.insert(result.sightings.end(), part.sightings.begin(), part.sightings.end());
  }
  result.findings = merge(result.sightings);
  return result;
}

}  // namespace isosan::suite
