// The names of test cases, from what each framework prints when it is asked to list them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace isosan::suite {

std::vector<std::string> googletest_cases(std::string_view listed);  // --gtest_list_tests
std::vector<std::string> catch_cases(std::string_view listed);       // one name on each line
std::vector<std::string> doctest_cases(std::string_view listed);     // --list-test-cases
std::vector<std::string> boost_cases(std::string_view listed);       // --list_content=HRF

}  // namespace isosan::suite
