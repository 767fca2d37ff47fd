#include "cli/output/switch_text.h"

#include <fmt/format.h>

#include "base/shown.h"
#include "report/timeline.h"

namespace isosan {
namespace {

constexpr std::size_t kPlaceColumn = 60;

std::string base_name(const std::string& path) { return path.substr(path.rfind('/') + 1); }

std::string operations(std::uint64_t count) {
  return fmt::format("{} operation{}", count, count == 1 ? "" : "s");
}

}  // namespace

std::string SwitchText::line(const std::string& begin, const Event& event) {
  const Where where{0, event.thread, event.site, event.context};
  const FindingStep step{0, where, event.kind, event.address, event.size, {}, {}};
  const Place place = names_.spot(where);
  std::string text = begin + describe(step, names_);
  if (!place.file.empty()) {
    text.resize(std::max(text.size() + 2, kPlaceColumn), ' ');
    text += fmt::format("{}:{}", base_name(place.file), place.line);
    if (!place.function.empty()) text += " in " + place.function;
  }
  const std::string source = sources_.line(place.file, place.line);
  return text + "\n" + (source.empty() ? "" : fmt::format("      {}\n", shown(source)));
}

std::string SwitchText::of(std::size_t number) {
  const Switch& one = switches_[number - 1];
  const std::string from = names_.thread(one.from), to = names_.thread(one.to);
  std::string text = fmt::format("change {} of {}: {} ({}) after {}, {} ({}) goes on for {}\n",
                                 number, switches_.size(), from, names_.birth_path(one.from),
                                 operations(one.executed), to, names_.birth_path(one.to), one.runs);
  if (one.last) text += line(fmt::format("  {} stops behind ", from), *one.last);
  if (one.stops) {
    text += line(fmt::format("  {} stops before ", from), *one.stops);
  } else {
    text += fmt::format("  {} {}\n", from, one.ends ? "ends" : "goes no further");
  }
  if (one.goes_on) text += line(fmt::format("  {} goes on with ", to), *one.goes_on);
  return text;
}

}  // namespace isosan
