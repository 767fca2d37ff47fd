// Small traces with a name and a known answer, which every exact analysis must give.
//
// Model: `text` as parse_trace reads it; the answers are the ordinal of the first event that closes
// a cycle, with and without synchronization edges. serializability_oracle_test.cc checks them
// against the definition.
#pragma once

#include <optional>
#include <ostream>
#include <span>
#include <string_view>

namespace isosan::test {

struct NamedTrace {
  std::string_view name;
  std::string_view text;
  std::optional<std::size_t> violation;            // --sync-edges on
  std::optional<std::size_t> violation_data_only;  // --sync-edges off
};

std::span<const NamedTrace> named_traces();

inline std::ostream& operator<<(std::ostream& out, const NamedTrace& trace) {
  return out << trace.name;
}

}  // namespace isosan::test
