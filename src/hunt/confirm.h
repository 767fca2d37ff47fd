// From a failing execution to a finding: run again, minimised, replayed, told.
#pragma once

#include <optional>

#include "hunt/candidates.h"

namespace isosan {

// `went`: how the failing run went, as a schedule. Empty: it did not fail again, or not every time.
std::optional<Prey> confirm(const HuntOptions& options, const Candidate& candidate,
                            const Schedule& went, const Failure& failure, int cpu);

}  // namespace isosan
