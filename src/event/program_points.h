// Sites as places of the source. Sites of one place are one *program point*: compilers copy the
// start of a loop, so the rounds of one wait can have two sites.
#pragma once

#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "event/bookkeeping.h"
#include "event/ids.h"
#include "event/tables.h"

namespace isosan {

class ProgramPoints {
 public:
  struct Place {
    SiteId point{};               // the first site of the same place
    bool is_bookkeeping = false;  // of the C++ library
  };

  // Null: nothing is known of sites. The tables outlive this and may grow.
  explicit ProgramPoints(const Tables* tables) : tables_(tables) {}

  Place of(SiteId site) {
    if (tables_ == nullptr || index(site) >= tables_->sites.size()) return {.point = site};
    while (known_.size() <= index(site)) known_.push_back(next());
    return known_[index(site)];
  }

 private:
  Place next() {
    const SiteId site{static_cast<std::uint32_t>(known_.size())};
    const Site& here = tables_->sites[index(site)];
    Place place{.point = site, .is_bookkeeping = is_bookkeeping(here.file)};
    if (!here.file.empty() && here.line != 0)
      place.point = first_.try_emplace({here.file, here.line, here.column}, site).first->second;
    return place;
  }

  const Tables* tables_;
  std::vector<Place> known_;  // by site
  absl::flat_hash_map<std::tuple<std::string, std::uint32_t, std::uint32_t>, SiteId> first_;
};

}  // namespace isosan
