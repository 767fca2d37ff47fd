// A time that the user may spend: "90", "90s", "5m", "1h".
#pragma once

#include <chrono>
#include <string>

namespace isosan {

std::chrono::seconds parse_budget(const std::string& text);  // throws UserError

}  // namespace isosan
