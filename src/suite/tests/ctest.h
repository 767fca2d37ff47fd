// The tests of a CMake build folder, as ctest lists them.
//
// Model: `ctest --show-only=json-v1` prints every test with its command and properties. Of those,
// what says how a test runs is taken (WORKING_DIRECTORY, ENVIRONMENT, TIMEOUT), what says that it
// does not (DISABLED), and what says that status 0 is not "passed". Fixtures, costs and labels
// are ctest's own business: a test that needs a set-up test does not get it here.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "suite/tests/test_case.h"

namespace isosan::suite {

// The folder itself, or the one named `build` in it, that has tests; empty: neither has.
std::string ctest_folder(const std::string& folder);

// `where` is what errors call it. Throws InputError: not the JSON of ctest.
std::vector<TestCase> parse_ctest(std::string_view json, const std::string& where);

}  // namespace isosan::suite
