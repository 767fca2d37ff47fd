// Interned names: classes and sets are stored and compared by number.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>

#include "absl/container/flat_hash_map.h"

namespace isosan::marathon {

enum class NameId : std::uint32_t {};
inline constexpr NameId kNoName{0};  // the empty name

class NamePool {
 public:
  NameId id_of(std::string_view name) {
    const auto found = ids_.find(name);
    if (found != ids_.end()) return found->second;
    const auto id = static_cast<NameId>(names_.size());
    names_.emplace_back(name);
    ids_.emplace(names_.back(), id);
    return id;
  }
  const std::string& operator[](NameId id) const { return names_[static_cast<std::size_t>(id)]; }

 private:
  std::deque<std::string> names_{std::string()};  // a deque: the keys of ids_ stay where they are
  absl::flat_hash_map<std::string_view, NameId> ids_{{std::string_view(), kNoName}};
};

}  // namespace isosan::marathon
