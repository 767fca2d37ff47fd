// Results of shards, read one after the other and checked to belong together (large-suites.md).
//
// Model: the first result that can be read says what the campaign is: program, builds, options, and
// how many shards it has. A result of another campaign is refused, since nothing can be said about
// the two together. A result of a shard that is there already was run twice, and is passed over. A
// file that is none is named and passed over; its shard is missing, unless another file has it.
//
// Memory: of each result only its number is kept.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "base/shard.h"

namespace isosan::campaign {

using Json = nlohmann::ordered_json;

class Parts {
 public:
  // Null: passed over. Throws UserError: of another campaign.
  Json read(const std::string& path);

  Json header() const { return header_; }  // of the campaign; null: nothing could be read
  const std::vector<std::string>& problems() const { return problems_; }  // one line each
  std::vector<std::uint64_t> missing() const;
  std::string missing_text() const;  // "2 of 7 shards are missing: 3, 5"; empty: none is

 private:
  void accept(const std::string& path, const Json& header);

  std::string first_;  // the path whose header it is
  Json header_;        // without the index
  std::set<std::uint64_t> read_;
  std::vector<std::string> problems_;
};

}  // namespace isosan::campaign
