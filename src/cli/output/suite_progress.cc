#include "cli/output/suite_progress.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <cstdio>

#include "base/shown.h"

namespace isosan {
namespace {

using suite::Step;
using suite::SuiteEvent;
using suite::Verdict;

std::string_view name_of(const SuiteEvent& event) {
  switch (event.step) {
    case Step::kWatched:
      return "watched";
    case Step::kHunted:
      return event.test->hunted ? "hunted" : "not hunted";
    case Step::kCached:
      return "unchanged";
  }
  return "";
}

std::string outcome_of(const SuiteEvent& event) {
  if (!event.failures.empty())
    return fmt::format("fails: {}", shown(fmt::format("{}", fmt::join(event.failures, "; "))));
  if (event.step == Step::kHunted) {
    if (event.test->hunted) return fmt::format("{} schedules pass", event.test->schedules);
    if (event.test->verdict == Verdict::kFailed) return "it fails without being forced";
    return event.test->note.empty() ? "no time left" : shown(event.test->note);
  }
  std::string text(id_of(event.test->verdict));
  if (event.test->verdict == Verdict::kPassed) {
    text += fmt::format(", {} thread{}{}", event.test->threads, event.test->threads == 1 ? "" : "s",
                        event.test->contended ? " that met" : "");
  }
  if (event.seen != 0)
    text += fmt::format(", {} finding{}", event.seen, event.seen == 1 ? "" : "s");
  return text;
}

}  // namespace

SuiteProgress::SuiteProgress() : terminal_(::isatty(2) == 1) {}

void SuiteProgress::show(const SuiteEvent& event) {
  if (!terminal_) {
    fmt::print(stderr, "isosan test: [{}/{}] {} {}: {}\n", event.done, event.total, name_of(event),
               shown(event.test->name), outcome_of(event));
    return;
  }
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began_;
  fmt::print(
      stderr,
      "\r\x1b[Kisosan test: {} {}/{}, {} contended, {} finding{} so far, {:.0f} s, up to {} s "
      "left: {}",
      name_of(event), event.done, event.total, event.contended, event.findings,
      event.findings == 1 ? "" : "s", took.count(), event.left.count(),
      shown(event.test->name.substr(0, 40)));
  std::fflush(stderr);
}

void SuiteProgress::clear() {
  if (terminal_) fmt::print(stderr, "\r\x1b[K");
}

}  // namespace isosan
