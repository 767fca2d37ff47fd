// Names and numbers for memory, for formats that have variables and not bytes.
//
// Model: a variable is one range of bytes that every access takes whole. Its name is the symbol at
// its address, with separators replaced, or else its address. An access that overlaps a variable in
// part cannot be expressed: the two would conflict, and in the other format they would not.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "event/tables.h"

namespace isosan {

// Text without white space and '|'.
std::string without_separators(const std::string& text);

class VariableNames {
 public:
  // The variable's number, from 0; nothing if the access overlaps another variable in part.
  std::optional<std::uint32_t> number_of(Address address, std::uint64_t size,
                                         const Tables& tables) {
    const auto found = numbers_.find(address);
    if (found == numbers_.end() || found->second.size != size) return add(address, size, tables);
    return found->second.number;
  }
  const std::string& name(std::uint32_t number) const { return names_[number]; }
  std::size_t size() const { return names_.size(); }

 private:
  struct Entry {
    std::uint64_t size = 0;
    std::uint32_t number = 0;
  };
  std::optional<std::uint32_t> add(Address address, std::uint64_t size, const Tables& tables);

  absl::flat_hash_map<Address, Entry> numbers_;
  std::map<Address, std::uint64_t> ranges_;  // address to end, disjoint
  std::vector<std::string> names_;
  absl::flat_hash_set<std::string> used_;
};

}  // namespace isosan
