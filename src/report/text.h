// The report for a person, in the manner of ThreadSanitizer.
//
// Model: a pure function of finding and tables; no analysis is known by name. A report is a list of
// sections, each of which is empty where the finding has nothing for it: the headline, the
// transactions, the places with a role, the diagram of the interleaving, the edges, one sentence
// why no serial order explains the run, the stacks, the notes.
#pragma once

#include <cstddef>
#include <string>

#include "event/finding.h"
#include "event/tables.h"
#include "report/evidence.h"
#include "report/run_record.h"
#include "report/source_lines.h"

namespace isosan {

enum class Colour { kNever, kTerminal };

// One finding, from "==================" to "==================". Without `evidence` and `source`
// it has only what is in the finding itself.
std::string text_report(const Finding& finding, const Tables& tables, Colour colour,
                        const Evidence* evidence = nullptr, SourceLines* source = nullptr);

// "atomic in 7 of 9 contended executions", or "" if there were fewer than two.
std::string text_of(const Executions& executions);

// Lines before the summary: what the run did not cover, and its selection.
std::string text_footer(const RunRecord& run);

// In all processes of the run.
std::uint64_t findings_of_run(const RunRecord& run);

// "SUMMARY: IsoSan: 2 findings\n": the last line of every report.
std::string text_summary(const RunRecord& run, Colour colour);

}  // namespace isosan
