#include "cli/commands/command.h"

#include <memory>
#include <utility>
#include <vector>

#include "cli/output/help.h"
#include "cli/output/version.h"

namespace isosan {
namespace {

constexpr Command kCommands[] = {
    {"cc", "compile and link C, instrumented; takes what the compiler takes", nullptr, run_cc},
    {"c++", "compile and link C++, instrumented; takes what the compiler takes", nullptr, run_cxx},
    {"test", "a whole test suite: watch, hunt and explain each test, one result", declare_test},
    {"diff", "compare two results of 'isosan test'", declare_diff},
    {"merge", "put the results of shards together", declare_merge},
    {"corpus", "look after the schedules that hunts have collected (--corpus)", declare_corpus},
    {"run", "run a program once, analysed live", declare_run},
    {"record", "run a program once, keep the trace", declare_record},
    {"hunt", "find a schedule in which the program fails, prove and save it", declare_hunt},
    {"replay", "run one schedule again, exactly", declare_replay},
    {"refine", "derive the atomicity specification of a program", declare_refine},
    {"check", "analyse a trace (our format, STD text, RapidBin)", declare_check},
    {"predict", "schedules that would break what should be atomic, from a trace", declare_predict},
    {"trace", "look at traces, convert and generate them", declare_trace},
    {"doctor", "is everything in place?", declare_doctor},
    {"pages", "write manual pages and completions for bash and zsh", declare_pages},
};

}  // namespace

std::span<const Command> commands() { return kCommands; }

Action declare_commands(CLI::App& parser, std::span<const Command> table, std::string_view chosen) {
  std::vector<std::pair<CLI::App*, Action>> declared;
  for (const Command& command : table) {
    CLI::App* sub = parser.add_subcommand(std::string(command.name), std::string(command.help));
    if (command.declare == nullptr) continue;                 // main has run it already
    if (!chosen.empty() && command.name != chosen) continue;  // saves 0.5 ms: hundreds of options
    sub->set_version_flag("--version", version_line());
    declared.emplace_back(sub, command.declare(*sub));
    set_help(*sub);
  }
  parser.require_subcommand(1);
  return [declared = std::move(declared)] {
    for (const auto& [sub, action] : declared) {
      if (sub->parsed()) return action();
    }
    return 0;
  };
}

void declare_program(CLI::App& parser, std::vector<std::string>& command) {
  parser.add_option("PROGRAM", command, "The program and its arguments, after --")
      ->required()
      ->type_name("");
  parser.positionals_at_end();
}

}  // namespace isosan
