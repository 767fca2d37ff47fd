// The analyses of one run: chosen by name, fed batch by batch, their findings in one record.
//
// Batches go directly from the source to each analysis: one virtual call per batch and analysis.
// An analysis that has as many findings as were asked for is no longer fed.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/options/analyses.h"
#include "event/event.h"
#include "event/source.h"
#include "report/history.h"
#include "report/run_record.h"

namespace isosan {

// When the evidence of findings (locks held, heap blocks) is collected.
enum class EvidenceFrom : std::uint8_t {
  kRun,             // during the run: the events come only once
  kSecondReading,   // by look_up() afterwards: most traces have no finding and need none
  kRunThenReading,  // during the run, and look_up() for what is too old: many traces have findings
};

class Session {
 public:
  // `limit` findings of each analysis, 0: all. Throws UserError for a name that is not known.
  Session(const AnalysisOptions& options, std::uint64_t limit, EvidenceFrom evidence);

  bool wants_more() const { return !running_.empty(); }
  void feed(std::span<const Event> batch, std::span<const Dependence> dependences = {});
  void finish();                     // the events have ended
  void aborted_by(ThreadId thread);  // after finish(): it ended the program
  std::uint64_t events() const { return events_; }
  std::size_t findings() const;  // of all analyses, so far

  // Is there evidence to look up? look_up() reads the same events once more.
  bool needs_second_reading() const;
  void look_up(EventSource& same_events);

  // The inferred atomic sets; null: no analysis infers them.
  const InferredSets* sets() const;

  // Puts events, findings, evidence and counters of all analyses into the record.
  void fill(RunRecord& record) const;

 private:
  struct Chosen {
    std::string_view name;
    std::unique_ptr<AnyAnalysis> analysis;
    std::size_t findings_seen = 0;
    std::uint64_t replaced_seen = 0;
  };
  void collect_evidence();
  bool during_run() const { return evidence_from_ != EvidenceFrom::kSecondReading; }

  std::vector<Chosen> chosen_;
  std::vector<AnyAnalysis*> running_;
  std::uint64_t limit_;
  EvidenceFrom evidence_from_;
  std::uint64_t events_ = 0;
  History history_;
  Evidence evidence_;
  bool too_old_ = false;  // some step was too old for the history
};

}  // namespace isosan
