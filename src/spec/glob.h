// Globs over qualified names: '*' is any run of characters ("::" included), '?' any one character.
#pragma once

#include <string_view>

namespace isosan {

bool glob_matches(std::string_view glob, std::string_view name);

}  // namespace isosan
