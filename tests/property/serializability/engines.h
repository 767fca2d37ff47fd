// The engines that decide conflict serializability, as one list of types: a further one is one
// line.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <vector>

#include "analysis/aerodrome/aerodrome.h"
#include "analysis/atomsanitizer/atomsanitizer.h"
#include "analysis/velodrome/velodrome.h"
#include "event/finding_sink.h"
#include "oracle/trace_builder.h"

namespace isosan::test {

// Does every finding hold the whole cycle, or only the dependence that closes it?
enum class Evidence { kCycle, kClosingEdge };

template <class A, Evidence kEvidence>
struct Engine {
  static constexpr Evidence evidence = kEvidence;

  static std::vector<Finding> findings_of(const Trace& trace, bool sync_edges) {
    FindingSink sink;
    typename A::Options options;
    options.sync_edges = sync_edges;
    A analysis(sink, options);
    feed(analysis, trace.events, 0);
    analysis.finish();
    return sink.findings();
  }
};

using Engines = testing::Types<Engine<Velodrome, Evidence::kCycle>,  //
                               Engine<Aerodrome, Evidence::kClosingEdge>,
                               Engine<AtomSanitizer, Evidence::kClosingEdge>>;

// The ordinal of the event that closed the first cycle: the last of its steps.
inline std::optional<std::size_t> first_violation(const std::vector<Finding>& findings) {
  if (findings.empty()) return std::nullopt;
  std::size_t last = 0;
  for (const FindingStep& step : findings.front().steps)
    last = std::max<std::size_t>(last, step.where.ordinal);
  return last;
}

}  // namespace isosan::test
