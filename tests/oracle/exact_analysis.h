// Runs an exact analysis over a trace and takes its answer in the form that the oracle gives it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <vector>

#include "event/analysis.h"
#include "event/finding_sink.h"
#include "oracle/trace_builder.h"

namespace isosan::test {

template <class A>
std::vector<Finding> findings_of(const Trace& trace, bool sync_edges) {
  FindingSink sink;
  A analysis(sink, {.sync_edges = sync_edges});
  feed(analysis, std::span(trace.events), 0);
  analysis.finish();
  return sink.findings();
}

// The ordinal of the event that closed the first cycle: the last of the steps of the first finding.
template <class A>
std::optional<std::size_t> first_violation(const Trace& trace, bool sync_edges) {
  const std::vector<Finding> findings = findings_of<A>(trace, sync_edges);
  if (findings.empty()) return std::nullopt;
  std::size_t last = 0;
  for (const FindingStep& step : findings.front().steps) {
    last = std::max<std::size_t>(last, step.where.ordinal);
  }
  return last;
}

}  // namespace isosan::test
