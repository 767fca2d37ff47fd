// A change of thread as text: who stops where, who goes on where, with the lines of the source.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "event/tables.h"
#include "hunt/sources.h"
#include "hunt/switches.h"
#include "report/names.h"

namespace isosan {

class SwitchText {
 public:
  // The tables know the places and names of the events (resolve_places(), name_members()).
  SwitchText(const std::vector<Switch>& switches, const Tables& tables)
      : switches_(switches), names_(tables) {}

  // number: from 1.
  std::string of(std::size_t number);

 private:
  std::string line(const std::string& begin, const Event& event);

  const std::vector<Switch>& switches_;
  Names names_;
  Sources sources_;
};

}  // namespace isosan
