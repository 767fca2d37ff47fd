// From a failing execution to a finding: it is run again, minimised, replayed and described.
#pragma once

#include <optional>
#include <string>

#include "hunt/candidates.h"
#include "hunt/hunt.h"

namespace isosan {

struct Confirmation {
  std::optional<ConfirmedFailure> confirmed;
  std::string why;  // why it is not confirmed
};

// `executed`: the failing run as a schedule. Nothing is confirmed if it does not fail again,
// or not every time, or the deadline comes first.
Confirmation confirm(const HuntOptions& options, const Candidate& candidate,
                     const Schedule& executed, const Failure& failure, int cpu);

}  // namespace isosan
