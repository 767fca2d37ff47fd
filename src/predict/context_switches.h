// The observed order with fewer context switches, and prefixes of it.
//
// Model (Penelope 4.2.3): accesses to memory that no other thread touches can wait, and so can
// reads of shared memory until another thread writes. An operation that can wait is deferred until
// its thread does something that cannot (a write to shared memory, an atomic, any synchronization),
// or until another thread needs it to be done: by a write to shared memory (for deferred reads),
// by a join or another demand of the clocks. Operations that cannot wait stay in the observed
// order.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "predict/observed_run.h"
#include "predict/weaver.h"

namespace isosan::predict {

// The whole run.
std::vector<Step> with_fewer_switches(const ObservedRun& run);

// The part of `steps` in which each thread executes at most limits[thread] operations.
std::vector<Step> clipped(std::span<const Step> steps, std::span<const std::uint32_t> limits);

}  // namespace isosan::predict
