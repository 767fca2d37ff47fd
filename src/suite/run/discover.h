// Which tests there are: asks ctest, and the test programs themselves.
#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "suite/tests/test_case.h"

namespace isosan::suite {

// The tests of a build folder of CMake or Meson, or of the folder `build` in it. Throws UserError.
std::vector<TestCase> tests_of_folder(const std::string& folder, const std::atomic<bool>& stop);

// The cases of one program, or the command as one test. Throws UserError.
std::vector<TestCase> tests_of_command(const std::vector<std::string>& command,
                                       const std::atomic<bool>& stop);

}  // namespace isosan::suite
