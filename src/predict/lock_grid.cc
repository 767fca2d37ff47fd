#include "predict/lock_grid.h"

#include <algorithm>

namespace isosan::predict {
namespace {

// How many operations a thread has executed right before its next lock event, after 0, 1, 2, ... of
// these events.
std::vector<std::uint32_t> stops_of(const LockTimeline& locks, std::uint32_t from,
                                    std::uint32_t to) {
  std::vector<std::uint32_t> stops;
  for (std::size_t i = locks.first_event(from); i < locks.event_count(); ++i) {
    if (locks.at(i) >= to) break;
    stops.push_back(locks.at(i));
  }
  stops.push_back(to);
  return stops;
}

bool exclude_each_other(std::span<const HeldLock> a, std::span<const HeldLock> b) {
  return std::any_of(a.begin(), a.end(), [&](const HeldLock& l) {
    return std::any_of(b.begin(), b.end(), [&](const HeldLock& k) {
      return l.lock == k.lock && excludes(l.mode, k.mode);
    });
  });
}

}  // namespace

std::optional<std::vector<Step>> path_through_locks(const ObservedRun& run, Step first, Step second,
                                                    std::uint32_t first_end,
                                                    std::uint32_t second_end) {
  const LockTimeline& locks1 = run.threads()[first.thread].locks;
  const LockTimeline& locks2 = run.threads()[second.thread].locks;
  const std::vector<std::uint32_t> stops1 = stops_of(locks1, first.until, first_end);
  const std::vector<std::uint32_t> stops2 = stops_of(locks2, second.until, second_end);
  const std::size_t height = stops1.size(), width = stops2.size();
  if (std::uint64_t{height} * width > kMaxGrid) return std::nullopt;

  const auto demanded = [&](const Step& by, std::uint32_t n, const Step& of) {
    return run.clocks().demand(by.thread, n, of.thread);
  };
  enum : char { kNotReached, kStart, kByFirst, kBySecond };
  std::vector<char> reached(height * width, kNotReached);
  for (std::size_t i = 0; i < height; ++i) {
    for (std::size_t j = 0; j < width; ++j) {
      const auto allowed = !exclude_each_other(run.lock_states().lockset(locks1.state(stops1[i])),
                                               run.lock_states().lockset(locks2.state(stops2[j])));
      if (!allowed) continue;
      char& here = reached[i * width + j];
      if (i == 0 && j == 0) here = kStart;
      if (i > 0 && reached[(i - 1) * width + j] != kNotReached &&
          demanded(first, stops1[i], second) <= stops2[j]) {
        here = kByFirst;
      } else if (j > 0 && reached[i * width + j - 1] != kNotReached &&
                 demanded(second, stops2[j], first) <= stops1[i]) {
        here = kBySecond;
      }
    }
  }
  if (reached.back() == kNotReached) return std::nullopt;

  std::vector<Step> path;
  for (std::size_t i = height - 1, j = width - 1;;) {
    const char by = reached[i * width + j];
    if (by == kStart) break;
    const Step step =
        by == kByFirst ? Step{first.thread, stops1[i]} : Step{second.thread, stops2[j]};
    if (path.empty() || path.back().thread != step.thread) path.push_back(step);
    by == kByFirst ? --i : --j;
  }
  // Both run up to their first lock event.
  path.push_back({second.thread, stops2[0]});
  path.push_back({first.thread, stops1[0]});
  std::reverse(path.begin(), path.end());
  std::erase_if(path, [&](const Step& step) {
    return step.until == (step.thread == first.thread ? first.until : second.until);
  });
  return path;
}

}  // namespace isosan::predict
