// Writes the JSON and SARIF of every kind of finding to argv[1].json and argv[1].sarif, for the
// validators in tests/tools.
#include <fstream>

#include "report/json.h"
#include "report/kinds.h"
#include "report/sarif.h"
#include "unit/report/samples.h"

int main(int argc, char** argv) {
  using namespace isosan;
  if (argc != 2) return 2;
  RunRecord run{.input = "bank.trace", .events = 8, .error = "bank.trace: offset 99: torn chunk"};
  run.findings = {samples::torn_deposit(), samples::window_in_deposit(), samples::race()};
  for (const KindText& kind : kKindTexts) {
    run.findings.push_back({.analysis = "none", .kind = kind.kind, .subject = "a set \xff"});
  }
  run.analyses = {{"velodrome", {{"live_nodes", 3}}}, {"atomizer", {}}};
  Tables tables = samples::bank_tables();
  tables.sites[4].file = "/home/a b/\"bank\".cc";
  std::ofstream(std::string(argv[1]) + ".json") << json_report(run, tables);
  std::ofstream(std::string(argv[1]) + ".sarif") << sarif_report(run, tables, "1.2.3");
  std::ofstream(std::string(argv[1]) + "_empty.json") << json_report({}, {});
  std::ofstream(std::string(argv[1]) + "_empty.sarif") << sarif_report({}, {}, "1.2.3");
}
