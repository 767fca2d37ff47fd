// What the unit tests of SingleTrack ask of a trace.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <tuple>
#include <vector>

#include "analysis/singletrack/singletrack.h"
#include "oracle/trace_builder.h"

namespace isosan::test {

inline std::vector<Finding> run(const TraceBuilder& trace, SingleTrack::Options options = {}) {
  FindingSink sink;
  SingleTrack analysis(sink, options);
  feed(analysis, trace.trace().events, 0);
  analysis.finish();
  return sink.findings();
}

using Conflict = std::tuple<std::string, std::uint64_t, std::uint64_t>;  // region, two ordinals

inline std::vector<Conflict> conflicts(const TraceBuilder& trace,
                                       SingleTrack::Options options = {}) {
  std::vector<Conflict> result;
  for (const Finding& finding : run(trace, options)) {
    if (finding.kind != FindingKind::kConflict) continue;
    result.emplace_back(trace.trace().tables.regions.at(index(finding.region)).name,
                        finding.steps.at(0).where.ordinal, finding.steps.at(1).where.ordinal);
  }
  return result;
}

// The names of the blamed regions of all cycles.
inline std::vector<std::string> blamed(const TraceBuilder& trace,
                                       SingleTrack::Options options = {}) {
  std::vector<std::string> result;
  for (const Finding& finding : run(trace, options)) {
    if (finding.kind != FindingKind::kNotExternallySerializable) continue;
    result.push_back(trace.trace().tables.regions.at(index(finding.region)).name);
  }
  return result;
}

}  // namespace isosan::test
