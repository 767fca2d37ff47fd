// A law checked on many random traces, with a fixed seed. A failure tells what is wrong, the shrunk
// trace as STD text (trace_builder.h reads it back), and how many traces held before.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "oracle/random_trace.h"

namespace isosan::test {

// `default_count` in the default run, `long_count` with ISOSAN_TEST_MODE=long.
struct Repetitions {
  int default_count = 20'000;
  int long_count = 1'000'000;
};

// A law over values of the test's own: it draws them with *gen and calls RC_FAIL where it breaks.
testing::AssertionResult law_holds(const std::function<void()>& law, Repetitions repetitions);

// `error_of` returns what is wrong with the analysis' answer on a trace, or "" if the law holds.
testing::AssertionResult holds_on_random_traces(
    const RandomTraceOptions& options, const std::function<std::string(const Trace&)>& error_of,
    Repetitions repetitions = {});

}  // namespace isosan::test
