#pragma once

#include "trace/order/place_resolver.h"

namespace isosan::testing {

// Places are ids; regions have the site with their own number.
class Identity : public PlaceResolver {
 public:
  SiteId site_of(std::uint64_t place) override { return SiteId{static_cast<std::uint32_t>(place)}; }
  FunctionId function_of(std::uint64_t place) override {
    return FunctionId{static_cast<std::uint32_t>(place)};
  }
  RegionPlace region_of(std::uint64_t place, RegionKind, std::uint64_t) override {
    return {RegionId{static_cast<std::uint32_t>(place)}, site_of(place)};
  }
};

}  // namespace isosan::testing
