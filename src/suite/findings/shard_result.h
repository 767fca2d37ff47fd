// The result of a part of a suite, and how parts become one result (large-suites.md).
//
// Model: a test belongs to the shard that its name says (base/shard.h). The file of a shard is that
// of a result (result.h) with three things more: the header of the shard, the place of each of its
// tests among all, and the sightings, each with the text of its schedule, so that the file is all
// that a shard hands on. Findings are made of all sightings together.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "suite/findings/result.h"

namespace isosan::suite {

// `places` has one number for each test of the result.
Json shard_json(const SuiteResult& result, const Json& header,
                const std::vector<std::uint64_t>& places);

class SuiteMerge {
 public:
  explicit SuiteMerge(std::string folder) : folder_(std::move(folder)) {}  // for schedules

  void add(const Json& report);  // throws Json::exception: no result of a shard
  SuiteResult result() const;    // `seconds` are those of all shards together
  // The schedules of the failures: path and text.
  const std::map<std::string, std::string>& schedules() const { return schedules_; }

 private:
  struct Part {
    TestResult test;
    std::vector<Sighting> sightings;
  };

  std::string folder_;
  std::map<std::uint64_t, Part> parts_;  // by place
  std::map<std::string, std::string> schedules_;
  bool complete_ = true;
  double seconds_ = 0;
};

}  // namespace isosan::suite
