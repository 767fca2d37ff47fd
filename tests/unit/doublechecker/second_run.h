// What a second run of doublechecker is shown of a trace, given the suspects of a first one.
#pragma once

#include <span>
#include <utility>

#include "analysis/doublechecker/doublechecker.h"
#include "oracle/trace_builder.h"
#include "spec/access_filter.h"

namespace isosan::test {

class VectorSource : public EventSource {
 public:
  explicit VectorSource(const Trace& trace) : trace_(trace) {}
  std::span<const Event> next() override {
    return std::exchange(done_, true) ? std::span<const Event>() : std::span(trace_.events);
  }
  const Tables& tables() const override { return trace_.tables; }

 private:
  const Trace& trace_;
  bool done_ = false;
};

inline SuspectedNames names_of(const Suspects& suspects, const Tables& tables) {
  SuspectedNames names{.runs = 1, .unary = suspects.unary};
  for (const RegionId region : suspects.regions)
    names.regions.insert(tables.regions.at(index(region)).name);
  return names;
}

inline Trace second_run_of(const Trace& trace, const Suspects& suspects) {
  VectorSource source(trace);
  AccessFilter filter(source, {.suspects = names_of(suspects, trace.tables)});
  Trace shown{trace.tables, {}};
  const std::span<const Event> events = filter.next();
  shown.events.assign(events.begin(), events.end());
  return shown;
}

}  // namespace isosan::test
