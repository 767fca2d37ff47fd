// isosan diff: two results of `isosan test`, compared by causes.
#include <fmt/format.h>

#include <memory>
#include <string>

#include "cli/commands/command.h"
#include "cli/output/exit_status.h"
#include "suite/findings/baseline.h"
#include "suite/reports/text.h"

namespace isosan {

Action declare_diff(CLI::App& parser) {
  struct Paths {
    std::string before, after;
  };
  auto paths = std::make_shared<Paths>();
  parser.add_option("BEFORE", paths->before, "The JSON result of 'isosan test'")
      ->required()
      ->type_name("");
  parser.add_option("AFTER", paths->after, "Another one")->required()->type_name("");
  return [paths] {
    const suite::Difference difference =
        suite::difference(suite::read_result(paths->before), suite::read_result(paths->after));
    fmt::print("{}", suite::difference_text(difference));
    return difference.added.empty() ? kExitClean : kExitFindings;
  };
}

}  // namespace isosan
