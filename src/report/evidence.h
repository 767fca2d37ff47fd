// Evidence for the steps of findings: the locks held there and the heap block accessed.
// Analyses need none of it; History (history.h) collects it beside them.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "event/event.h"

namespace isosan {

struct HeldLock {
  Address lock = 0;
  LockMode mode{};
  Where taken;
};

struct MemoryBlock {
  Address address = 0;
  std::uint64_t size = 0;
  Where allocated;
};

struct StepEvidence {
  std::vector<HeldLock>
      locks;  // held when the step happened, in the order in which they were taken
  std::optional<MemoryBlock> block;  // heap block around the step's address
};

using Evidence = std::map<std::uint64_t, StepEvidence>;  // by FindingStep::where.ordinal

}  // namespace isosan
