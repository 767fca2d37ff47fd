// Sightings as JSON: what is kept between runs, and what shards of a suite hand to `isosan merge`.
//
// Law: sightings_in(to_json(s)) gives s again.
#pragma once

#include <vector>

#include "suite/findings/merge.h"

namespace isosan::suite {

Json to_json(const std::vector<Sighting>& sightings);
std::vector<Sighting> sightings_in(const Json& json);  // throws Json::exception

}  // namespace isosan::suite
