// Law: where every region is two-phase and every variable has its lock, no rule of any figure finds
// anything, whatever refinements are on.
#include <gtest/gtest.h>

#include "analysis/atomizer/atomizer.h"
#include "oracle/property.h"
#include "property/atomizer/disciplined_trace.h"

namespace isosan::test {
namespace {

std::vector<AtomizerOptions> all_options(const Trace& trace) {
  std::vector<AtomizerOptions> result;
  for (unsigned bits = 0; bits < 64; ++bits) {
    AtomizerOptions options;
    options.thread_local_data = bits & 1;
    options.reentrant_locks = bits & 2;
    options.thread_local_locks = bits & 4;
    options.thread_local_locks2 = bits & 8;
    options.protected_locks = bits & 16;
    options.write_protected = bits & 32;
    result.push_back(options);
  }
  AtomizerOptions papers;
  papers.lone_thread = papers.lone_regions = papers.ordered_handover = papers.quiet_threads = false;
  papers.split_at_join = papers.second_looks = papers.split_at_fork = papers.innermost =
      papers.back_offs = papers.seen_handover = papers.late_windows = papers.late_accesses = false;
  papers.atomic_idioms = false;
  result.push_back(papers);
  result.push_back(AtomizerOptions::strict(AtomizerOptions::RaceRule::kWrong));
  result.push_back(AtomizerOptions::strict(AtomizerOptions::RaceRule::kDeclared));
  for (const Symbol& variable : trace.tables.symbols) {
    for (const Symbol& lock : trace.tables.symbols) {
      if (variable.name[0] == 'x' && lock.name == "l" + variable.name.substr(1)) {
        result.back().declarations.protect(variable.address, 8, lock.address);
      }
    }
  }
  return result;
}

TEST(TwoPhase, NoWarningWhateverTheRules) {
  std::size_t regions = 0;
  const auto law = [&] {
    const DisciplinedTrace random = *disciplined_traces({.two_phase = true}, 400);
    const Trace trace = random.trace();
    regions += trace.tables.regions.size() - 1;
    for (const AtomizerOptions& options : all_options(trace)) {
      FindingSink sink;
      Atomizer atomizer(sink, options);
      feed(atomizer, trace.events, 0);
      if (!sink.findings().empty()) RC_FAIL(sink.findings()[0].message);
    }
  };
  EXPECT_TRUE(law_holds(law, {600, 50'000}));
  EXPECT_GT(regions, 600u);
}

}  // namespace
}  // namespace isosan::test
