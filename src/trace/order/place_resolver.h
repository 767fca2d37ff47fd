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

  // Seldom called for the same place: answers are cached. The ids must be in the tables that go
  // with the events. Never called for place 0.
  virtual SiteId site_of(std::uint64_t place) = 0;
  virtual FunctionId function_of(std::uint64_t place) = 0;
  // `name`: the address of the region's name in the target; 0: the site has it.
  virtual RegionPlace region_of(std::uint64_t place, RegionKind kind, std::uint64_t name) = 0;
};

}  // namespace isosan
