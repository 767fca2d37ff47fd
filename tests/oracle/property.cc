#include "oracle/property.h"

#include <rapidcheck.h>

#include <cstdlib>
#include <sstream>
#include <string_view>
#include <unordered_map>

namespace isosan::test {
namespace {

constexpr std::uint64_t kSeed = 20140609;

bool long_mode() {
  const char* mode = std::getenv("ISOSAN_TEST_MODE");
  return mode != nullptr && std::string_view(mode) == "long";
}

// RapidCheck's own listener would print a seed that we do not use.
class SilentListener : public rc::detail::TestListener {
  void onTestCaseFinished(const rc::detail::CaseDescription&) override {}
  void onShrinkTried(const rc::detail::CaseDescription&, bool) override {}
  void onTestFinished(const rc::detail::TestMetadata&, const rc::detail::TestResult&) override {}
};

}  // namespace

testing::AssertionResult law_holds(const std::function<void()>& law, Repetitions repetitions) {
  const rc::detail::TestParams parameters{
      .seed = kSeed,
      .maxSuccess = long_mode() ? repetitions.long_count : repetitions.default_count};
  SilentListener listener;
  const std::unordered_map<std::string, rc::detail::Reproduce> reproduce_nothing;
  const rc::detail::TestResult result = rc::detail::checkTestable(
      law, rc::detail::TestMetadata{}, parameters, listener, reproduce_nothing);
  if (result.is<rc::detail::SuccessResult>()) return testing::AssertionSuccess();
  std::ostringstream message;
  rc::detail::printResultMessage(result, message);
  return testing::AssertionFailure() << message.str();
}

testing::AssertionResult holds_on_random_traces(
    const RandomTraceOptions& options, const std::function<std::string(const Trace&)>& error_of,
    Repetitions repetitions) {
  const auto law = [&] {
    const RandomTrace random = *random_traces(options);
    const std::string error = error_of(random.trace());
    if (!error.empty()) RC_FAIL(error);
  };
  return law_holds(law, repetitions);
}

}  // namespace isosan::test
