// What Atomizer says about a small trace, as text.
//
// A trace is written in STD text with blanks between the events; its events are numbered from 0. A
// finding reads "f 3->5" (region f commits at event 3, goes wrong at event 5), or "f !5" where a
// strict rule goes wrong by itself ("- !5" outside every region).
#pragma once

#include <algorithm>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/atomizer/atomizer.h"
#include "oracle/trace_builder.h"

namespace isosan::test {

using Verdicts = std::vector<std::string>;

inline Trace trace_of(std::string text) {
  std::replace(text.begin(), text.end(), ' ', '\n');
  return parse_trace(text);
}

inline Address address_in(const Trace& trace, std::string_view name) {
  for (const Symbol& symbol : trace.tables.symbols) {
    if (symbol.name == name) return symbol.address;
  }
  ISOSAN_CHECK(false && "a name of the trace");
  return 0;
}

inline std::vector<Finding> findings_of(const Trace& trace, AtomizerOptions options = {}) {
  FindingSink sink;
  Atomizer atomizer(sink, std::move(options));
  feed(atomizer, trace.events, 0);
  atomizer.finish();
  return sink.findings();
}

inline Verdicts verdicts_of(const Trace& trace, AtomizerOptions options = {}) {
  Verdicts verdicts;
  for (const Finding& finding : findings_of(trace, std::move(options))) {
    const std::string& name = trace.tables.regions[index(finding.region)].name;
    std::string text = (finding.region == kNoRegion ? "-" : name) + " ";
    std::string commit = "!", violation;
    for (const FindingStep& step : finding.steps) {
      if (step.role == "region commits at") commit = std::to_string(step.where.ordinal) + "->";
      if (step.role == "violation at") violation = std::to_string(step.where.ordinal);
    }
    verdicts.push_back(text + commit + violation);
  }
  return verdicts;
}

// The paper's refinements, and of ours these alone.
inline AtomizerOptions papers_and(std::initializer_list<bool AtomizerOptions::*> ours) {
  AtomizerOptions options;
  options.lone_thread = options.lone_regions = options.split_at_barrier = false;
  options.ordered_handover = options.quiet_threads = options.split_at_join = false;
  options.second_looks = options.split_at_fork = options.innermost = options.back_offs = false;
  options.seen_handover = options.late_windows = options.late_accesses = false;
  options.atomic_idioms = false;
  for (bool AtomizerOptions::*const refinement : ours) options.*refinement = true;
  return options;
}

// The paper's hand-over to a second thread, which needs no order: a trace without locks can show
// the states of a location or a lock.
inline AtomizerOptions any_handover() {
  AtomizerOptions options;
  options.seen_handover = options.late_windows = false;
  return options;
}

inline Verdicts verdicts(const std::string& text, AtomizerOptions options = {}) {
  return verdicts_of(trace_of(text), std::move(options));
}

}  // namespace isosan::test
