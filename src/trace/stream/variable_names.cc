#include "trace/stream/variable_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <iterator>
#include <utility>

namespace isosan {

namespace {
std::string symbol_at(Address address, const Tables& tables) {
  const auto& symbols = tables.symbols;
  const auto found =
      std::lower_bound(symbols.begin(), symbols.end(), address,
                       [](const Symbol& symbol, Address a) { return symbol.address < a; });
  if (found == symbols.end() || found->address != address || found->name.empty()) {
    return fmt::format("{:#x}", address);
  }
  return without_separators(found->name);
}
}  // namespace

std::string without_separators(const std::string& text) {
  std::string clean = text;
  for (char& c : clean) {
    if (c == '|' || c == '\0' || std::isspace(static_cast<unsigned char>(c)) != 0) c = '_';
  }
  return clean;
}

std::optional<std::uint32_t> VariableNames::add(Address address, std::uint64_t size,
                                                const Tables& tables) {
  const Address end = address + std::max<std::uint64_t>(size, 1);
  const auto after = ranges_.lower_bound(end);
  if (after != ranges_.begin() && std::prev(after)->second > address) return std::nullopt;
  ranges_.emplace(address, end);
  std::string name = symbol_at(address, tables);
  while (!used_.insert(name).second) name += "'";
  const auto number = static_cast<std::uint32_t>(names_.size());
  names_.push_back(std::move(name));
  numbers_.emplace(address, Entry{size, number});
  return number;
}

}  // namespace isosan
