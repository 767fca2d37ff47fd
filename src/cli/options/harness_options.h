// The options that say what a failure is and which inputs are fixed from run to run: for hunt, and
// for replay, which must judge as the hunt did.
#pragma once

#include <CLI/App.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "hunt/execution.h"

namespace isosan {

// Inputs that are the same in every scheduled run.
struct WorldOptions {
  bool fix_time = false;
  bool fix_random = false;

  void declare(CLI::App& parser);
  std::uint32_t fixed() const;     // of log::World
  void fix(std::uint32_t inputs);  // of log::World: these, too
  std::string as_options() const;  // "--fix-time --fix-random"
};

struct HarnessOptions {
  double timeout = 0;  // seconds; 0: no limit
  std::string expect_output;
  std::string fail_if;
  bool reuse_freed = false, expect_invariant = false, serial_output = false;
  WorldOptions world{};

  void declare(CLI::App& parser);
  // Throws UserError: the file of --expect-output.
  Harness harness(const std::vector<std::string>& command) const;
  // The same options again, for a command line that replays; each begins with a space.
  std::string as_options() const;
  std::vector<std::string> as_words() const;  // the same
};

}  // namespace isosan
