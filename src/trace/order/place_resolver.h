// What a place in a LogUnit stands for. Live logs have addresses in the target there, our files
// have ids.
#pragma once

#include <cstdint>

#include "event/ids.h"
#include "event/kind.h"

namespace isosan {

class PlaceResolver {
 public:
  struct RegionPlace {
    RegionId region{};
    SiteId site{};
  };

  virtual ~PlaceResolver() = default;

  // True: places of sites and functions are their ids already; no lookup is needed.
  virtual bool places_are_ids() const { return false; }

  // Asked once in a while for each place: answers are cached. The ids must be in the tables that go
  // with the events. Place 0 is never asked for.
  virtual SiteId site_of(std::uint64_t place) = 0;
  virtual FunctionId function_of(std::uint64_t place) = 0;
  // `name`: where the region's name stands in the target; 0: the site knows it.
  virtual RegionPlace region_of(std::uint64_t place, RegionKind kind, std::uint64_t name) = 0;
};

}  // namespace isosan
