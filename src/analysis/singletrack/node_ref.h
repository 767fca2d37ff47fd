// A reference to a node of a TransactionGraph that may be collected meanwhile.
#pragma once

#include <cstdint>

namespace isosan {

struct NodeRef {
  std::uint32_t slot = 0;
  std::uint32_t generation = 0;  // 0: no node; incremented when the slot's node is collected

  bool operator==(const NodeRef&) const = default;
};

}  // namespace isosan
