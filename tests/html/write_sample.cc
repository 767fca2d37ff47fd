// Writes a page with so many findings, the first of which has so many steps; names try to be HTML.
#include <cstdio>
#include <cstdlib>
#include <string>

#include "suite/reports/html.h"
#include "unit/suite/findings.h"

using namespace isosan::suite;

namespace {

Json long_story(int steps) {
  Json story = inventory_cycle();
  story["threads"] = {{{"id", 1}, {"name", "T1"}}, {{"id", 2}, {"name", "T2"}}};
  for (int i = static_cast<int>(story["steps"].size()); i < steps; ++i) {
    Json step = story["steps"][static_cast<std::size_t>(i % 3)];
    step["operand"] = "shop::Inventory::field" + std::to_string(i) + "_ (0x10)";
    story["steps"].push_back(step);
  }
  return story;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  SuiteResult result;
  result.gone.push_back({"race", "old_function", "old"});
  std::vector<Sighting> sightings = {failed("first</script><b>", {long_story(std::atoi(argv[3]))})};
  for (int i = 1; i < std::atoi(argv[2]); ++i) {
    Json cycle = long_story(3);
    for (Json& stack : cycle["stacks"])
      stack = Json::array(
          {{{"function", "ns::C" + std::to_string(i) + "::f"}, {"file", "/c.cc"}, {"line", i}}});
    for (Json& step : cycle["steps"]) step["operand"] = "ns::C" + std::to_string(i) + "::x_ (0x1)";
    sightings.push_back(seen("test " + std::to_string(i % 7), cycle));
  }
  result.tests.resize(7);
  result.tests[0].name = "fails";
  result.tests[0].verdict = Verdict::kFailed;
  result.tests[0].output = {"x.cc:1: Failure", "<b>no markup</b>"};
  result.findings = merge(sightings);
  result.findings.back().is_new = false;
  std::FILE* file = std::fopen(argv[1], "w");
  const std::string page = html_report(result);
  return std::fwrite(page.data(), 1, page.size(), file) == page.size() && std::fclose(file) == 0
             ? 0
             : 1;
}
