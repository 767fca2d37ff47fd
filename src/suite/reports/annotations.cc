#include "suite/reports/annotations.h"

#include <fmt/format.h>

#include "suite/findings/why.h"

namespace isosan::suite {
namespace {

// A command is one line; in its properties ',' and ':' would end them.
std::string escaped(const std::string& text, bool property) {
  std::string safe;
  for (const char c : text) {
    const bool special = c == '%' || c == '\r' || c == '\n' || (property && (c == ',' || c == ':'));
    if (special) {
      safe += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    } else {
      safe += c;
    }
  }
  return safe;
}

std::string from_workspace(const std::string& file, const std::string& workspace) {
  const bool inside = !workspace.empty() && file.starts_with(workspace + "/");
  return inside ? file.substr(workspace.size() + 1) : file;
}

// " file=F,line=L,"; empty: no place is known.
std::string place_of(const MergedFinding& finding, const std::string& workspace) {
  // What nothing explains is at no place.
  if (finding.evidence.empty() || finding.cause.kind == "failure") return {};
  const Json& evidence = finding.evidence.front();
  const std::vector<const Json*> steps = telling_steps(evidence);
  if (steps.empty()) return {};
  const Json place = own_place(evidence, *steps.front());
  if (!place.contains("file") || !place.contains("line")) return {};
  return fmt::format("file={},line={},",
                     escaped(from_workspace(place.at("file").get<std::string>(), workspace), true),
                     place.at("line").get<int>());
}

}  // namespace

std::string annotations(const SuiteResult& result, const std::string& workspace) {
  std::string lines;
  for (const MergedFinding& finding : result.findings) {
    if (!finding.is_new) continue;
    std::string text = headline(finding.cause) + ".";
    for (const std::string& sentence : why(finding)) text += " " + sentence;
    lines += fmt::format("::{} {}title=IsoSan::{}\n", finding.proved() ? "error" : "warning",
                         place_of(finding, workspace), escaped(text, false));
  }
  return lines;
}

}  // namespace isosan::suite
