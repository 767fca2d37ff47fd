// The tests of a Meson build folder, as Meson keeps them in meson-info/intro-tests.json.
//
// Model: command, folder, environment and time limit of a test are taken. Tests whose protocol is not
// "exitcode" or "gtest" say in what they print whether they passed. That a test is expected to fail
// (should_fail) is not in the file.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "suite/tests/test_case.h"

namespace isosan::suite {

// The file, of the folder itself or of the one named `build` in it; empty: neither has one.
std::string meson_tests_file(const std::string& folder);

// `where` is what errors call it. Throws InputError: not such a file.
std::vector<TestCase> parse_meson(std::string_view json, const std::string& where);

}  // namespace isosan::suite
