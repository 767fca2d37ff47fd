// Law: Atomizer and its plain reference see the same windows, on traces of every kind of event and
// under every combination of refinements.
#include "property/atomizer/reference.h"

#include <gtest/gtest.h>

#include "analysis/atomizer/atomizer.h"
#include "oracle/property.h"

namespace isosan::test {
namespace {

Windows windows_of(const Trace& trace, const AtomizerOptions& options) {
  FindingSink sink;
  Atomizer atomizer(sink, options);
  feed(atomizer, trace.events, 0);
  atomizer.finish();
  Windows windows;
  for (const Finding& finding : sink.findings()) {
    windows.insert(
        {finding.region, finding.steps.at(1).where.ordinal, finding.steps.at(2).where.ordinal});
  }
  return windows;
}

AtomizerOptions refinements(unsigned bits) {
  AtomizerOptions options;
  options.thread_local_data = bits & 1;
  options.reentrant_locks = bits & 2;
  options.thread_local_locks = bits & 4;
  options.thread_local_locks2 = bits & 8;
  options.protected_locks = bits & 16;
  options.write_protected = bits & 32;
  options.lone_thread = bits & 64;
  options.lone_regions = bits & 128;
  options.split_at_barrier = bits & 256;
  options.ordered_handover = bits & 512;
  options.quiet_threads = bits & 1024;
  options.split_at_join = bits & 2048;
  options.second_looks = bits & 4096;
  options.split_at_fork = bits & 8192;
  options.innermost = bits & 16384;
  options.back_offs = bits & 32768;
  options.seen_handover = bits & 65536;
  options.late_windows = bits & 131072;
  options.atomic_idioms = bits & 262144;
  options.late_accesses = bits & 524288;
  return options;
}

TEST(Reference, SeesTheSameWindows) {
  std::size_t windows = 0;
  const auto law = [&] {
    const AtomizerOptions options = refinements(*rc::gen::inRange(0u, 1048576u));
    const Trace trace = (*random_traces({.max_intents = 120})).trace();
    const Windows expected = reference_windows(trace.events, options);
    windows += expected.size();
    RC_ASSERT(windows_of(trace, options) == expected);
  };
  EXPECT_TRUE(law_holds(law, {20'000, 500'000}));
  EXPECT_GT(windows, 20'000u);
}

}  // namespace
}  // namespace isosan::test
