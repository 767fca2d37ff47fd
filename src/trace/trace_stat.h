// Figures of a trace (isosan trace stat), as plain data and as text.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "event/event.h"
#include "event/tables.h"
#include "trace/stream/trace_source.h"

namespace isosan {

struct TraceStat {
  TraceFormat format{};
  std::uint64_t bytes = 0;  // of the file; 0: not known
  std::uint64_t events = 0;
  std::array<std::uint64_t, kKindCount> by_kind{};
  std::uint64_t threads = 0;    // that have events
  std::uint64_t locations = 0;  // granules of 8 bytes accessed
  std::uint64_t locks = 0;
  std::uint64_t regions = 0;         // static ones begun
  std::uint64_t sites = 0;           // in the table
  std::uint64_t transactions = 0;    // outermost begins of atomic regions
  std::uint64_t unary_accesses = 0;  // outside any atomic region
  std::uint64_t open_at_end = 0;     // transactions
  PassedOver passed_over;
};

// Counts event by event; needs memory for the sets of locations, locks and regions.
class TraceCounter {
 public:
  void count(std::span<const Event> events);
  TraceStat result(const TraceSource& source) const;

 private:
  void count(const Event& e);

  TraceStat stat_;
  std::vector<std::uint32_t> open_;  // by thread: atomic regions open
  std::vector<bool> seen_;           // by thread
  absl::flat_hash_set<Address> locations_;
  absl::flat_hash_set<Address> locks_;
  absl::flat_hash_set<std::uint64_t> regions_;
};

// All of `source`. Errors pass through; use TraceCounter directly to keep the counts before one.
TraceStat collect_stat(TraceSource& source);

// "name: value" lines.
std::vector<std::string> stat_lines(const TraceStat& stat);

}  // namespace isosan
