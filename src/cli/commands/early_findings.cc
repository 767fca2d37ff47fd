#include "cli/commands/early_findings.h"

#include "cli/output/run_summary.h"
#include "report/fold.h"
#include "report/text.h"

namespace isosan {

void EarlyFindings::look() {
  const std::size_t found = session_.findings();
  if (found != seen_ && !waiting_) waiting_ = Clock::now();
  seen_ = found;
  if (!waiting_ || Clock::now() - *waiting_ < kPatience) return;
  waiting_.reset();
  print_all();
}

void EarlyFindings::tell_so_far(RunRecord record) {
  print_all();
  session_.fill(record);
  Tables tables = stage_.tables();
  regions_.apply_suppressions(record, tables);
  if (!options_.all) fold_findings(record, tables);
  describe_run(record, stage_, regions_);
  std::string summary = text_summary(record, Colour::kNever);
  summary.insert(summary.find_last_not_of('\n') + 1, " so far; the program runs on");
  print_(text_footer(record) + summary);
}

// With a copy of the tables: resolving places adds entries, and the run goes on to add its own.
void EarlyFindings::print_all() {
  RunRecord record;
  session_.fill(record);
  std::erase_if(record.findings,
                [&](const Finding& finding) { return told_.contains(cause_of(finding)); });
  Tables tables = stage_.tables();
  regions_.apply_suppressions(record, tables);
  if (!options_.all) fold_findings(record, tables);
  resolve_places_of(record, tables);
  SourceLines source(tables, /*quotes=*/true);
  for (const Finding& finding : record.findings) {
    told_.insert(cause_of(finding));
    print_(text_report(finding, tables, Colour::kNever, &record.evidence, &source) + "\n");
  }
}

}  // namespace isosan
