#include "cli/options/budget.h"

#include <fmt/format.h>

#include <exception>
#include <map>

#include "base/user_error.h"

namespace isosan {

std::chrono::seconds parse_budget(const std::string& text) {
  std::size_t used = 0;
  unsigned long number = 0;
  try {
    number = std::stoul(text, &used);
  } catch (const std::exception&) {
    used = 0;
  }
  const std::string unit = text.substr(used);
  const std::map<std::string, unsigned long> units = {{"", 1}, {"s", 1}, {"m", 60}, {"h", 3600}};
  if (used == 0 || !units.contains(unit) || number == 0 || number > 1000000) {
    throw UserError(fmt::format("'{}' is no budget: a time like 60s, 5m or 1h is", text));
  }
  return std::chrono::seconds(number * units.at(unit));
}

}  // namespace isosan
