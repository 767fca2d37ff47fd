#include "suite/findings/why.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace isosan::suite {
namespace {

std::string operand_of(const Json& step) {
  const std::string name = last_name(variable_in(step.value("operand", "")));
  return name.empty() ? "" : " of " + name;
}

std::string operation_of(const Json& step) {
  std::string text = step.value("operation", "");
  std::ranges::replace(text, '-', ' ');
  return text;
}

// "read of stock_ (inventory.cc:7)"
std::string noun(const Json& finding, const Json& step) {
  return fmt::format("{}{} ({})", operation_of(step), operand_of(step),
                     line_of(own_place(finding, step)));
}

std::string between(const Json& finding) {
  const Torn parts = torn(finding);
  if (parts.last == nullptr) return {};
  const auto intruder =
      std::ranges::find_if(parts.others, [&](const Json* step) { return step > parts.first; });
  if (intruder == parts.others.end()) return {};
  const std::string function = function_of(finding, **intruder);
  return fmt::format("Between its {} and its {} another thread comes in: {} in {}.",
                     noun(finding, *parts.first), noun(finding, *parts.last),
                     noun(finding, **intruder),
                     function.empty() ? "code outside every region" : function);
}

std::string places(const Json& finding) {
  std::vector<std::string> lines;
  for (const Json* step : telling_steps(finding)) lines.push_back(noun(finding, *step));
  return fmt::format("{}", fmt::join(lines, ", "));
}

// "Its fields items_ and sum_ belong together."
std::string fields(const MergedFinding& finding) {
  std::set<std::string> names;
  for (const Json& one : finding.evidence) {
    if (one.value("analysis", "") != "marathon") continue;
    for (const std::string& name : variables_of(one)) {
      if (class_of(name) == finding.cause.of) names.insert(last_name(name));
    }
  }
  if (names.size() < 2) return {};
  return fmt::format("The fields {} of {} belong together.", fmt::join(names, " and "),
                     finding.cause.of);
}

}  // namespace

std::string line_of(const Json& place) {
  const std::string file = place.value("file", "");
  if (file.empty()) return place.value("function", "");
  const std::string name = file.substr(file.rfind('/') + 1);
  if (!place.contains("line")) return name;
  // Of the place no more may be known than its function.
  const char* how = place.value("definition", false) ? "defined at " : "";
  return fmt::format("{}{}:{}", how, name, place.at("line").get<int>());
}

std::string step_text(const Json& finding, const Json& step) {
  const std::string function = function_of(finding, step);
  return fmt::format("T{} {}{}{} ({})", step.at("thread").get<int>(), operation_of(step),
                     operand_of(step), function.empty() ? "" : " in " + function,
                     line_of(own_place(finding, step)));
}

std::vector<std::string> why(const MergedFinding& finding) {
  std::vector<std::string> sentences;
  const auto add = [&](std::string text) {
    if (!text.empty()) sentences.push_back(std::move(text));
  };
  if (!finding.evidence.empty()) {
    const Json& first = finding.evidence.front();
    if (const Json* last = last_before_hang(first)) {
      add(fmt::format("No thread goes on any more. The last that one did: {}.",
                      noun(first, *last)));
    } else if (finding.cause.kind == "deadlock") {
      add("Each thread holds a lock that another waits for: " + places(first) + ".");
      for (const Json& note : first.value("notes", Json::array())) {
        const std::string text = note;
        if (text.find(" waits for ") != text.npos) add(text + ".");
      }
    } else if (finding.cause.kind == "race") {
      add("Nothing orders these: " + places(first) + ".");
    } else {
      const std::string text = between(first);
      add(text.empty() ? first.value("message", "") : text);
    }
  }
  add(fields(finding));
  return sentences;
}

}  // namespace isosan::suite
