// Parses a compiler command line as far as needed to know which steps will run.
#pragma once

#include <string>
#include <vector>

namespace isosan::driver {

enum class Front { kPass, kTsan };

struct CommandLine {
  std::vector<std::string> arguments;  // for the compiler: without our own options
  bool has_input = false;              // else a probe: --version, -print-*, -v, ...
  bool compiles = false;               // an input is translated (C, C++, preprocessed)
  bool links = false;                  // a link step follows
  bool static_link = false;            // -static, -static-pie
  bool debug_info = false;             // some -g option is there, -g0 included
  bool mentions_tsan = false;          // the user has -fsanitize=thread there
  std::string other_shadow;            // another sanitizer with shadow memory of its own: "address"
  std::string front;                   // of --front; empty: not given
  bool arrays = true;                  // of --arrays
};

// Throws UserError.
CommandLine read_command_line(const std::vector<std::string>& arguments);

}  // namespace isosan::driver
