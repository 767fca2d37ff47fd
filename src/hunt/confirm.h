// From a failing execution to a finding: run again, minimised, replayed, told.
#pragma once

#include <optional>
#include <string>

#include "hunt/candidates.h"

namespace isosan {

struct Confirmation {
  std::optional<Prey> prey;
  std::string why;  // there is none
};

// `went`: how the failing run went, as a schedule. Nothing is confirmed if it does not fail again,
// or not every time, or the deadline comes first.
Confirmation confirm(const HuntOptions& options, const Candidate& candidate, const Schedule& went,
                     const Failure& failure, int cpu);

}  // namespace isosan
