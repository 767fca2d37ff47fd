// Test programs that hold many test cases: which framework a program was built with, how it lists
// its cases, and the command that runs one of them.
//
// Model: a program is known by a text that only its framework leaves in it (the name of the list
// option, or of the shared library), so that no program is run with an option that it does not
// know. What a framework needs is one row of the table in framework.cc.
//
// A case that the program runs by default is listed; hidden and disabled ones are not.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace isosan::suite {

struct Framework {
  std::string_view name;
  std::vector<std::string_view> marks;  // in the file; one is enough
  std::vector<std::string> list_options;
  std::vector<std::string> (*cases)(std::string_view listed);
  std::vector<std::string> (*options_of)(const std::string& name);  // that run this case alone
  std::string_view selects;       // an option that begins so chooses cases already
  std::string_view skipped = {};  // what the program writes if it skips the one case it was to run
};

const std::vector<Framework>& frameworks();

// By the contents of its file; null: none that is known.
const Framework* framework_of(std::string_view contents);
// The same, of the program at this path; `command` chooses no cases itself. Null: is not split.
const Framework* framework_of_command(const std::vector<std::string>& command);

}  // namespace isosan::suite
