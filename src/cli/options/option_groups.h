// The groups of a command's options in its help. `--help` shows what most people need; `--help-all`
// shows the group kMore, too.
#pragma once

#include <CLI/App.hpp>
#include <string>

namespace isosan::option_group {

inline constexpr char kRegions[] = "What should be atomic";
inline constexpr char kAnalysis[] = "Analysis";
inline constexpr char kRun[] = "The run";
inline constexpr char kReport[] = "Report";
inline constexpr char kMore[] = "More options";

// Options that are declared while it lives are in the group.
class Scope {
 public:
  Scope(CLI::App& parser, const char* group)
      : parser_(parser), before_(parser.option_defaults()->get_group()) {
    parser_.option_defaults()->group(group);
  }
  ~Scope() { parser_.option_defaults()->group(before_); }
  Scope(const Scope&) = delete;
  Scope& operator=(const Scope&) = delete;

 private:
  CLI::App& parser_;
  std::string before_;
};

}  // namespace isosan::option_group
