// isosan corpus: what is done with the folder of schedules that hunts collect (docs/howto/large-suites.md).
#include "hunt/corpus.h"

#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <string>

#include "base/shown.h"
#include "base/user_error.h"
#include "cli/commands/command.h"
#include "cli/output/exit_status.h"

namespace isosan {
namespace {

int minimise_corpus(const std::string& folder) {
  if (!std::filesystem::is_directory(folder))
    throw UserError(fmt::format("{} is no folder with a corpus", folder));
  const Corpus::Minimised done = Corpus(folder).minimise();
  fmt::print("IsoSan: {} of {} schedule{} kept: they show the same {} ordered pair{}\n", done.after,
             done.before, done.before == 1 ? "" : "s", done.pairs, done.pairs == 1 ? "" : "s");
  std::fflush(stdout);
  for (const std::string& line : done.problems) fmt::print(stderr, "isosan: {}\n", shown(line));
  return done.problems.empty() ? kExitClean : kExitError;
}

}  // namespace

Action declare_corpus(CLI::App& parser) {
  auto folder = std::make_shared<std::string>();
  CLI::App* minimise = parser.add_subcommand(
      "minimise", "keep as few schedules as show the same orders of conflicting accesses");
  minimise->add_option("FOLDER", *folder, "The folder of 'isosan hunt --corpus'")
      ->required()
      ->type_name("");
  parser.require_subcommand(1);
  return [folder] { return minimise_corpus(*folder); };
}

}  // namespace isosan
