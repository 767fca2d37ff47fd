#include "suite/findings/sighting_json.h"

namespace isosan::suite {

Json to_json(const std::vector<Sighting>& sightings) {
  Json all = Json::array();
  for (const Sighting& one : sightings) {
    all.push_back({{"test", one.test},
                   {"finding", one.finding},
                   {"explanations", one.explanations},
                   {"failure", one.failure},
                   {"schedule", one.schedule},
                   {"replay", one.replay}});
  }
  return all;
}

std::vector<Sighting> sightings_in(const Json& json) {
  std::vector<Sighting> sightings;
  for (const Json& one : json) {
    Sighting sighting{one.at("test"),    one.at("finding"),  {},
                      one.at("failure"), one.at("schedule"), one.at("replay")};
    for (const Json& other : one.at("explanations")) sighting.explanations.push_back(other);
    sightings.push_back(std::move(sighting));
  }
  return sightings;
}

}  // namespace isosan::suite
