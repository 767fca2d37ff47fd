#include "predict/context_switches.h"

#include <algorithm>

namespace isosan::predict {
namespace {

void append(std::vector<Step>& steps, Step step) {
  if (!steps.empty() && steps.back().thread == step.thread) {
    steps.back().until = step.until;
  } else {
    steps.push_back(step);
  }
}

class Reducer {
 public:
  explicit Reducer(const ObservedRun& run) : run_(run), threads_(run.threads().size()) {}

  std::vector<Step> reduce() {
    run_.for_each_operation([&](const Placed& operation) { take(operation); });
    for (std::uint32_t t = 0; t < threads_.size(); ++t) flush(t);
    return std::move(steps_);
  }

 private:
  struct Deferred {
    std::uint32_t emitted = 0, executed = 0;  // operations [emitted, executed) are deferred
    bool shared_read = false;                 // among the deferred ones
    std::uint32_t next_change = 0;            // operation at which more is demanded
  };

  void take(const Placed& operation) {
    Deferred& deferred = threads_[operation.thread];
    if (operation.id.index == 0)
      deferred.next_change = run_.clocks().next_change(operation.thread, 0);
    if (deferred.next_change == operation.id.index) flush_demands(operation);
    deferred.executed = operation.id.index + 1;
    const bool shared = is_access(operation.kind) && touches_shared(operation);
    if (is_access(operation.kind) && !shared) return;
    if (shared && !writes(operation.kind)) {
      if (!deferred.shared_read) readers_.push_back(operation.thread);
      deferred.shared_read = true;
      return;
    }
    if (shared) flush_readers(operation.thread);
    flush(operation.thread);
  }

  bool touches_shared(const Operation& access) const {
    bool shared = false;
    run_.for_each_part(access, [&](Part part) { shared |= run_.locations().shared(part.slot); });
    return shared;
  }

  void flush_demands(const Placed& operation) {
    const std::span<const std::uint32_t> demands =
        run_.clocks().demands(operation.thread, operation.id.index + 1);
    for (std::uint32_t u = 0; u < demands.size() && u < threads_.size(); ++u) {
      if (u != operation.thread && threads_[u].emitted < demands[u]) flush(u);
    }
    threads_[operation.thread].next_change =
        run_.clocks().next_change(operation.thread, operation.id.index + 1);
  }

  void flush_readers(std::uint32_t except) {
    for (const std::uint32_t reader : std::exchange(readers_, {})) {
      if (reader == except || !threads_[reader].shared_read) continue;
      flush(reader);
    }
    if (threads_[except].shared_read) readers_.push_back(except);
  }

  void flush(std::uint32_t thread) {
    Deferred& deferred = threads_[thread];
    if (deferred.emitted == deferred.executed) return;
    deferred.emitted = deferred.executed;
    deferred.shared_read = false;
    append(steps_, {thread, deferred.emitted});
  }

  const ObservedRun& run_;
  std::vector<Deferred> threads_;
  std::vector<std::uint32_t> readers_;  // threads that may have a deferred shared read
  std::vector<Step> steps_;
};

}  // namespace

std::vector<Step> with_fewer_switches(const ObservedRun& run) { return Reducer(run).reduce(); }

std::vector<Step> clipped(std::span<const Step> steps, std::span<const std::uint32_t> limits) {
  std::vector<Step> result;
  std::vector<std::uint32_t> reached(limits.size());
  auto left = std::count_if(limits.begin(), limits.end(), [](std::uint32_t n) { return n > 0; });
  for (const Step& step : steps) {
    if (left == 0) break;
    const std::uint32_t until = std::min(step.until, limits[step.thread]);
    if (until <= reached[step.thread]) continue;
    reached[step.thread] = until;
    append(result, {step.thread, until});
    if (until == limits[step.thread]) --left;
  }
  return result;
}

}  // namespace isosan::predict
