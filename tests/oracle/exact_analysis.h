// Runs an exact analysis over a trace and takes its answer in the form that the oracle gives it.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
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

// The ordinal of the event at which the analysis told the first time.
template <class A>
std::optional<std::size_t> first_violation(const Trace& trace, bool sync_edges) {
  FindingSink sink;
  A analysis(sink, {.sync_edges = sync_edges});
  for (std::size_t i = 0; i < trace.events.size(); ++i) {
    feed(analysis, std::span(trace.events).subspan(i, 1), i);
    if (!sink.findings().empty()) return i;
  }
  return std::nullopt;
}

}  // namespace isosan::test
