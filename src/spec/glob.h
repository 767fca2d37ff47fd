// Globs over qualified names: '*' is any run of characters ("::" included), '?' any one character.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace isosan {

bool glob_matches(std::string_view glob, std::string_view name);
bool any_matches(const std::vector<std::string>& globs, std::string_view name);

}  // namespace isosan
