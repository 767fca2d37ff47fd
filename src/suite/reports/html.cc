#include "suite/reports/html.h"

#include <fstream>

#include "suite/reports/page.h"

namespace isosan::suite {
namespace {

constexpr std::size_t kMostLines = 20000;  // of a source file

Json lines_of(const std::string& path) {
  Json lines = Json::array();
  std::ifstream file(path);
  for (std::string line; lines.size() < kMostLines && std::getline(file, line);)
    lines.push_back(line);
  return lines;
}

// A step that quotes its line names a file that may be shown.
Json sources_of(const SuiteResult& result) {
  Json sources = Json::object();
  for (const MergedFinding& finding : result.findings) {
    for (const Json& evidence : finding.evidence) {
      for (const Json& step : evidence.at("steps")) {
        const std::string file = step.at("place").value("file", "");
        if (step.contains("source") && !sources.contains(file)) sources[file] = lines_of(file);
      }
    }
  }
  return sources;
}

// JSON inside of a script element: no "</script>" and no "<!--" may stand in it.
std::string for_script(const Json& json) {
  std::string safe;
  for (const char c : json.dump(-1, ' ', false, Json::error_handler_t::replace))
    safe += c == '<' ? std::string("\\u003c") : std::string(1, c);
  return safe;
}

// The text of the template with each {{name}} replaced once, in one pass: what is put in is not
// looked at again.
std::string filled(std::string_view page,
                   const std::vector<std::pair<std::string_view, std::string>>& parts) {
  std::string text;
  for (const auto& [name, part] : parts) {
    const std::string place = "{{" + std::string(name) + "}}";
    const std::size_t at = page.find(place);
    text += page.substr(0, at);
    text += part;
    page.remove_prefix(at + place.size());
  }
  return text + std::string(page);
}

}  // namespace

std::string html_report(const SuiteResult& result) {
  Json data = to_json(result);
  data["sources"] = sources_of(result);
  return filled(page::kHtml, {{"css", std::string(page::kCss)},
                              {"data", for_script(data)},
                              {"js", std::string(page::kScript)}});
}

}  // namespace isosan::suite
