// The cause of a finding, as it is compared between runs, tests and builds.
//
// Model: what is wrong (kind), in which function, and with whose data (a class, or a variable that
// is in none). Not part of it: which analysis saw it, since hunt sees today what velodrome saw by
// chance yesterday; and lines, addresses and threads, which change.
#pragma once

#include <compare>
#include <optional>
#include <string>
#include <string_view>

#include "suite/findings/evidence.h"

namespace isosan::suite {

inline constexpr std::string_view kCauseKinds[] = {"atomicity", "deadlock", "race", "failure"};

struct Cause {
  std::string kind;  // of kCauseKinds
  std::string
      function;    // that is not atomic; several, joined by " + ", wait for each other or race
  std::string of;  // class or variable

  auto operator<=>(const Cause&) const = default;
};

// "shop::Inventory::order is not atomic (shop::Inventory)"
std::string headline(const Cause& cause);

// Of a finding of one analysis; none: it names nobody.
std::optional<Cause> cause_of(const Json& finding);

}  // namespace isosan::suite
