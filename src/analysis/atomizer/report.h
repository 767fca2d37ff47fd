// From a violation to a Finding: the three places of Fig. 2, the variable's lockset history, and
// one sentence about what could happen in between.
#pragma once

#include <string>

#include "analysis/atomizer/lock_states.h"
#include "analysis/atomizer/lockset_pairs.h"
#include "analysis/atomizer/lockset_table.h"
#include "analysis/atomizer/phases.h"
#include "analysis/atomizer/witness_table.h"
#include "event/finding.h"

namespace isosan::atomizer {

inline constexpr const char* kAnalysisName = "atomizer";

class Reporter {
 public:
  Reporter(const LocksetTable& sets, const LocksetPairs& pairs, const LockStates& locks,
           const WitnessTable& witnesses)
      : sets_(sets), pairs_(pairs), locks_(locks), witnesses_(witnesses) {}

  // A region that is not reducible.
  Finding window(const OpenRegion& region, const Action& violation) const;

  // A violation of a strict rule, inside or outside regions: [WRONG ACCESS PROTECTED], [WRONG2
  // RACE].
  Finding race(RegionId region, const Where& entered, const Action& violation) const;

 private:
  void add_step(Finding& finding, const Action& action, const char* role) const;
  void add_history(Finding& finding, const Action& action, std::size_t step) const;
  static std::size_t transaction_of(Finding& finding, const Where& where);
  std::vector<Address> addresses(LocksetId set) const;
  std::string names(LocksetId set) const;
  std::string history_note(const Witness& witness) const;

  const LocksetTable& sets_;
  const LocksetPairs& pairs_;
  const LockStates& locks_;
  const WitnessTable& witnesses_;
};

}  // namespace isosan::atomizer
