// The one table of sub-commands: parser, help and cli.md are made from it.
//
// A sub-command is a row: its name, one line of help, and one of two functions. `declare` puts its
// options on the parser and returns what to do once they are read. `run` takes the arguments as
// they are, for commands whose options belong to another program (cc, c++). Both return the exit
// status; errors are thrown (UserError, InputError) and printed by main.
#pragma once

#include <CLI/App.hpp>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace isosan {

using Action = std::function<int()>;

struct Command {
  std::string_view name;
  std::string_view help;
  Action (*declare)(CLI::App& parser) = nullptr;
  int (*run)(const std::vector<std::string>& arguments) = nullptr;
};

std::span<const Command> commands();

// PROGRAM ARGS after `--`, for the commands that run one.
void declare_program(CLI::App& parser, std::vector<std::string>& command);

Action declare_test(CLI::App& parser);
Action declare_diff(CLI::App& parser);
Action declare_merge(CLI::App& parser);
Action declare_corpus(CLI::App& parser);
Action declare_run(CLI::App& parser);
Action declare_record(CLI::App& parser);
Action declare_hunt(CLI::App& parser);
Action declare_replay(CLI::App& parser);
Action declare_check(CLI::App& parser);
Action declare_predict(CLI::App& parser);
Action declare_refine(CLI::App& parser);
Action declare_trace(CLI::App& parser);
Action declare_doctor(CLI::App& parser);
Action declare_pages(CLI::App& parser);
int run_cc(const std::vector<std::string>& arguments);
int run_cxx(const std::vector<std::string>& arguments);

// Declares each command of the table on `parser`; the action runs the chosen one. If `chosen`
// is not empty, only that one gets its options.
Action declare_commands(CLI::App& parser, std::span<const Command> table,
                        std::string_view chosen = {});

}  // namespace isosan
