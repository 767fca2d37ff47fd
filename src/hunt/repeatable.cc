#include "hunt/repeatable.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <vector>

#include "hunt/observation.h"

namespace isosan {
namespace {

constexpr int kReplays = 2;

// What is known of the uncontrolled inputs of the program.
std::string uncontrolled(const ScheduleOutcome& run, std::uint32_t fixed) {
  const std::uint32_t open = run.asked_world & ~fixed;
  std::vector<std::string> sources;
  if (open & log::kClock) sources.push_back("reads the clock (--fix-time)");
  if (open & log::kRandom) sources.push_back("draws random numbers (--fix-random)");
  if (open & log::kOutside) sources.push_back("waits for descriptors, processes or signals");
  return sources.empty() ? "It depends on input, files or processes that are not controlled"
                         : fmt::format("It {}", fmt::join(sources, " and "));
}

}  // namespace

std::string divergence_of(const Sequences& recorded, const Execution& run, const Harness& harness,
                          const RegionRules& rules) {
  ScheduleRequest request;
  request.schedule = schedule_of(run);
  for (int i = 0; i < kReplays; ++i) {
    Observation replay(harness, &request, rules, processor_for(0));
    Sequences again;
    replay.run([&](std::span<const Event> batch) { again.feed(batch); });
    again.finish(replay.tables());
    if (const auto divergence = recorded.divergence(again)) {
      return fmt::format(
          "the recorded schedule does not give the same run again: thread {} parted at its "
          "operation {}: {} when recorded, {} when replayed. {}",
          divergence->thread, divergence->index, divergence->one, divergence->other,
          uncontrolled(run.schedule, harness.fixed));
    }
  }
  return {};
}

std::uint32_t inputs_to_fix(const Execution& run, const Harness& harness) {
  const std::uint32_t open =
      run.schedule.asked_world & (log::kClock | log::kRandom) & ~harness.fixed;
  if (open == 0 || judge(harness, run)) return open;
  Harness fixed = harness;
  fixed.fixed |= open;
  return judge(fixed, execute(fixed, {}, processor_for(0))) ? 0 : open;
}

}  // namespace isosan
