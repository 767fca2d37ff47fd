#include "hunt/minimise.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace isosan {
namespace {

// Merges steps of one thread in a row.
void join_neighbours(Schedule& schedule) {
  std::vector<ScheduleStep> joined;
  for (ScheduleStep& step : schedule.steps) {
    if (!joined.empty() && joined.back().thread == step.thread) {
      joined.back() = std::move(step);
    } else {
      joined.push_back(std::move(step));
    }
  }
  schedule.steps = std::move(joined);
}

Schedule without(const Schedule& from, std::size_t begin, std::size_t end) {
  Schedule rest = from;
  const auto first = rest.steps.begin();
  rest.steps.erase(first + static_cast<long>(begin), first + static_cast<long>(end));
  join_neighbours(rest);
  return rest;
}

// The first `count` steps; then the thread of the next step runs on.
Schedule prefix(const Schedule& from, std::size_t count) {
  Schedule cut = from;
  if (count < from.steps.size()) cut.first_after = from.steps[count].thread;
  cut.steps.resize(std::min(count, from.steps.size()));
  return cut;
}

class Minimiser {
 public:
  Minimiser(const Schedule& start, std::uint64_t changes, const ScheduleTrial& trial,
            std::uint64_t limit)
      : best_{start, changes, 0}, trial_(trial), limit_(limit) {}

  MinimisedSchedule run() {
    cut_end();
    for (std::size_t piece = best_.schedule.steps.size() / 2; piece > 0; piece /= 2) {
      leave_out(piece);
    }
    while (has_trials() && leave_out(1)) {
    }
    return best_;
  }

 private:
  bool has_trials() const { return best_.trials < limit_; }

  bool take(const Schedule& candidate) {
    if (!has_trials()) return false;
    ++best_.trials;
    std::uint64_t changes = 0;
    if (!trial_(candidate, changes) || changes > best_.changes) return false;
    best_.schedule = candidate;
    best_.changes = changes;
    return true;
  }

  // Doubles the prefix until it fails; then searches between the last that passed and that one.
  void cut_end() {
    const Schedule whole = best_.schedule;
    std::size_t passed = 0;
    std::size_t failed = whole.steps.size();
    if (failed == 0 || take(prefix(whole, 0))) return;
    for (std::size_t length = 1; length < whole.steps.size() && has_trials(); length *= 2) {
      if (take(prefix(whole, length))) {
        failed = length;
        break;
      }
      passed = length;
    }
    while (passed + 1 < failed && has_trials()) {
      const std::size_t middle = passed + (failed - passed) / 2;
      (take(prefix(whole, middle)) ? failed : passed) = middle;
    }
  }

  // Tries to leave out pieces of this length, the last first. True: something was left out.
  bool leave_out(std::size_t piece) {
    bool any = false;
    for (std::size_t end = best_.schedule.steps.size(); end > 0 && has_trials();) {
      end = std::min(end, best_.schedule.steps.size());
      if (end == 0) break;
      const std::size_t begin = end > piece ? end - piece : 0;
      any |= take(without(best_.schedule, begin, end));
      end = begin;
    }
    return any;
  }

  MinimisedSchedule best_;
  const ScheduleTrial& trial_;
  std::uint64_t limit_;
};

}  // namespace

MinimisedSchedule minimise(const Schedule& start, std::uint64_t changes, const ScheduleTrial& trial,
                           std::uint64_t limit) {
  return Minimiser(start, changes, trial, limit).run();
}

}  // namespace isosan
