// The process as a whole: start-up, the end, and what a forked child does (it runs on unobserved).
#pragma once

#include <atomic>
#include <cstdint>

namespace isosan::rt {

extern std::atomic<bool> g_observed;  // false: every entry point returns at once
extern std::uint32_t g_process_id;

void start_runtime();  // idempotent; from the constructor, or from the first entry point before it
void end_observation();  // of this process: a forked child

}  // namespace isosan::rt
