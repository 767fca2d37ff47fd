#include "cli/output/suite_output.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "base/report_path.h"
#include "base/user_error.h"
#include "cli/output/exit_status.h"
#include "cli/output/folder.h"
#include "suite/reports/annotations.h"
#include "suite/reports/html.h"
#include "suite/reports/junit.h"
#include "suite/reports/sarif.h"
#include "suite/reports/text.h"

namespace isosan {
namespace {

using suite::SuiteResult;
using suite::Verdict;

bool is_instrumented(const suite::TestResult& test) {
  return test.verdict != Verdict::kNotInstrumented && test.verdict != Verdict::kNotRun;
}

std::string named(const std::string& path) { return report_path(path, "suite"); }

}  // namespace

void SuiteOutputs::declare(CLI::App& parser) {
  parser.add_option("--json", json, "The result (default result.json in that folder)")
      ->type_name("FILE");
  parser.add_option("--junit", junit, "Write the result to FILE as JUnit XML")->type_name("FILE");
  parser.add_option("--sarif", sarif, "Write the result to FILE as SARIF 2.1.0")->type_name("FILE");
  parser.add_option("--html", html, "Write the result to FOLDER as a page, index.html")
      ->type_name("FOLDER");
  parser.add_option("--baseline", baseline, "Findings that are known: they do not count")
      ->type_name("FILE");
  parser.add_option("--write-baseline", new_baseline, "Write what was found as a baseline")
      ->type_name("FILE");
}

void refuse_uninstrumented(const SuiteResult& result) {
  const std::size_t tests = result.tests.size();
  if (!result.complete || tests == 0 || std::ranges::any_of(result.tests, is_instrumented)) return;
  throw UserError(fmt::format(
      "nothing of the {} test{} is instrumented: build with 'isosan cc' and 'isosan c++'", tests,
      tests == 1 ? "" : "s"));
}

SuiteOutput::SuiteOutput(const SuiteOutputs& paths, std::string folder)
    : paths_(paths), folder_(std::move(folder)) {
  if (!paths.baseline.empty()) known_ = suite::read_baseline(paths.baseline);
}

void SuiteOutput::open() {
  make_folder(folder_);
  if (!paths_.html.empty()) make_folder(named(paths_.html));
  json_.emplace(paths_.json.empty() ? folder_ + "/result.json" : named(paths_.json));
  junit_.emplace(named(paths_.junit));
  sarif_.emplace(named(paths_.sarif));
  html_.emplace(paths_.html.empty() ? "" : named(paths_.html) + "/index.html");
  new_baseline_.emplace(paths_.new_baseline);
}

void SuiteOutput::compare(SuiteResult& result) const {
  if (!paths_.baseline.empty()) suite::compare(result, known_);
}

void SuiteOutput::write(const SuiteResult& result, const suite::Json& json) {
  fmt::print("{}", suite::result_text(result));
  if (std::getenv("GITHUB_ACTIONS") != nullptr) {
    const char* workspace = std::getenv("GITHUB_WORKSPACE");
    fmt::print("{}", suite::annotations(result, workspace == nullptr ? "" : workspace));
  }
  json_->write(json.dump(1, ' ', false, suite::Json::error_handler_t::replace) + "\n");
  if (junit_->wanted()) junit_->write(junit_report(result));
  if (sarif_->wanted()) sarif_->write(suite::sarif_report(result, ISOSAN_VERSION));
  if (html_->wanted()) html_->write(html_report(result));
  if (new_baseline_->wanted()) new_baseline_->write(baseline_of(result, known_));
}

int SuiteOutput::status(const SuiteResult& result) const {
  if (result.new_findings() > 0) return kExitFindings;
  // A test that failed by itself, and is known to fail in some schedules, met one of those.
  const auto is_wrong = [&](const suite::TestResult& test) {
    const bool failed = test.verdict == Verdict::kFailed || test.verdict == Verdict::kHangs;
    return test.verdict == Verdict::kError || (failed && !result.shows_finding(test.name));
  };
  const bool wrong = !result.complete || std::ranges::any_of(result.tests, is_wrong);
  return wrong ? kExitError : kExitClean;
}

}  // namespace isosan
