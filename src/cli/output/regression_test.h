// A failure that a hunt has found, as a test that ctest runs from then on (docs/howto/cmake.md).
#pragma once

#include <CLI/App.hpp>
#include <string>
#include <vector>

namespace isosan {

struct RegressionTest {
  std::string name;    // beside it: NAME.schedule
  std::string folder;  // where both files are
  std::string failure;
  std::vector<std::string> command;  // the program, whose name is that of its target, and arguments
  std::vector<std::string> options;  // of isosan replay
};

// The name of the n-th test of a hunt, from 1.
std::string test_name(const std::string& name, std::size_t number);
// Names that CMake and the file system take: letters, digits, '_', '-', '.'.
CLI::Validator test_names();

std::string cmake_text(const RegressionTest& test);
void write_test(const RegressionTest& test);  // throws UserError

}  // namespace isosan
