// DoubleChecker's options, and the result of its first run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <set>

#include "event/ids.h"

namespace isosan {

// What a first run hands to a second run.
struct Suspects {
  std::set<RegionId> regions;  // static regions in imprecise cycles
  bool unary = false;          // code outside regions was in one
};

struct DoubleCheckerOptions {
  bool sync_edges = true;
  bool log_accesses = true;  // false: first run
  bool markers =
      false;  // the source gives dependences (event/dependence.h); false: Octet is simulated
  std::uint64_t spill_above = std::uint64_t{16} << 20;  // bytes of logs in memory
  std::uint64_t cheap_search = 16;    // nodes that may be looked at for each transaction that ends
  std::size_t merge_above = 1 << 13;  // live nodes; with more, transactions may extend a node
  // What a part costs is measured by leaving it out; nothing is found then.
  bool search = true;  // false: no components, so nothing is replayed either
  bool replay = true;
  Suspects* found = nullptr;  // finish() puts suspects() there
  // Second run: is the region suspected? Others are not counted (Table 3). Empty: all are.
  std::function<bool(RegionId)> is_counted;
};

}  // namespace isosan
