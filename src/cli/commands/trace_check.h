// Analyses a whole trace: for `check`, and for `run` with an analysis
// that is cheaper after the program has ended.
//
// Events before damage are analysed and reported, too. Locks held and heap blocks are
// looked up in a second reading, if anything was found. A pipe can be read only once: there they
// are kept during the first. So they are for an analysis with many findings; a second reading
// looks up what is too old by then.
#pragma once

#include <memory>
#include <string>

#include "cli/commands/session.h"
#include "cli/commands/settled_trace.h"
#include "cli/options/analyses.h"
#include "cli/options/region_options.h"
#include "report/run_record.h"
#include "spec/access_filter.h"
#include "spec/region_stage.h"
#include "trace/stream/trace_source.h"

namespace isosan {

class TraceCheck {
 public:
  struct Input {
    std::string path;
    TraceOptions trace;
    AccessFilterOptions filter;
    std::uint64_t limit = 0;  // findings of each analysis; 0: all
    bool refuses_unmatched = true;
    bool reads_source = false;  // the files that the trace names (report/source_lines.h)
  };
  // Both must outlive it; the analyses are given the tables of the trace.
  TraceCheck(Input input, AnalysisOptions& analyses, Regions& regions);

  // Throws UserError if a glob matches no function of the program and that is to be refused.
  RunRecord run();

  const Session& session() const { return session_; }
  const RegionStage& stage() const { return stage_; }

 private:
  void analyse(std::string& error);
  void look_up_evidence();
  AnalysisOptions& prepared(AnalysisOptions& analyses) const;

  const Input input_;
  AnalysisOptions& analyses_;
  Regions& regions_;
  std::unique_ptr<TraceSource> trace_;
  SettledTrace settled_;
  RegionStage stage_;
  AccessFilter source_;
  Session session_;
};

}  // namespace isosan
