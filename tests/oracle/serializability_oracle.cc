#include "oracle/serializability_oracle.h"

#include <algorithm>
#include <map>

#include "oracle/sync_order.h"

namespace isosan::test {
namespace {

bool renews(Kind k) { return k == Kind::kAllocate || k == Kind::kFree; }

// A byte and how often it was allocated or freed so far: a location in the sense of the definition.
struct Location {
  Address byte;
  std::size_t renewals;
  bool operator==(const Location&) const = default;
};

std::vector<std::vector<Location>> locations_of(std::span<const Event> events) {
  std::vector<std::vector<Location>> result(events.size());
  std::map<Address, std::size_t> renewals;
  for (std::size_t i = 0; i < events.size(); ++i) {
    const Event& e = events[i];
    if (!reads(e.kind) && !writes(e.kind) && !renews(e.kind)) continue;
    for (Address byte = e.address; byte < e.address + e.size; ++byte) {
      if (renews(e.kind))
        ++renewals[byte];
      else
        result[i].push_back({byte, renewals[byte]});
    }
  }
  return result;
}

bool share(const std::vector<Location>& a, const std::vector<Location>& b) {
  return std::any_of(a.begin(), a.end(), [&](const Location& location) {
    return std::find(b.begin(), b.end(), location) != b.end();
  });
}

// "Reaches", kept transitively closed as edges are added.
class Closure {
 public:
  explicit Closure(std::size_t nodes) : reaches_(nodes, std::vector<char>(nodes, 0)) {}

  bool reaches(std::size_t a, std::size_t b) const { return reaches_[a][b] != 0; }
  void add_edge(std::size_t from, std::size_t to) {
    if (reaches(from, to)) return;
    for (std::size_t a = 0; a < reaches_.size(); ++a) {
      if (a != from && !reaches(a, from)) continue;
      for (std::size_t b = 0; b < reaches_.size(); ++b)
        if (b == to || reaches(to, b)) reaches_[a][b] = 1;
    }
  }

 private:
  std::vector<std::vector<char>> reaches_;
};

}  // namespace

SerializabilityOracle::SerializabilityOracle(std::span<const Event> events, bool sync_edges)
    : events_(events.begin(), events.end()),
      transaction_of_(events.size()),
      pairs_(events.size(), std::vector<Pair>(events.size())) {
  cut_into_transactions();
  find_data_dependences();
  if (sync_edges) find_sync_dependences();
  decide();
}

void SerializabilityOracle::cut_into_transactions() {
  struct OpenTransaction {
    std::size_t depth = 0;
    std::size_t transaction = 0;
  };
  std::map<ThreadId, OpenTransaction> threads;
  for (std::size_t i = 0; i < events_.size(); ++i) {
    const Event& e = events_[i];
    OpenTransaction& open = threads[e.thread];
    const bool atomic = e.detail == static_cast<std::uint8_t>(RegionKind::kAtomic);
    const bool begins = e.kind == Kind::kBegin && atomic;
    if (open.depth == 0) {
      open.transaction = transactions_.size();
      const RegionId region = begins ? RegionId{static_cast<std::uint32_t>(e.size)} : kNoRegion;
      transactions_.push_back({e.thread, region, i, i});
    }
    if (begins) ++open.depth;
    if (e.kind == Kind::kEnd && atomic && open.depth > 0) --open.depth;
    transaction_of_[i] = open.transaction;
    transactions_[open.transaction].last = i;
  }
}

void SerializabilityOracle::find_data_dependences() {
  const auto locations = locations_of(events_);
  for (std::size_t f = 0; f < events_.size(); ++f)
    for (std::size_t e = 0; e < f; ++e)
      pairs_[e][f].data = events_[e].thread != events_[f].thread &&
                          (writes(events_[e].kind) || writes(events_[f].kind)) &&
                          share(locations[e], locations[f]);
}

void SerializabilityOracle::find_sync_dependences() {
  const auto after = sync_order(events_);
  for (std::size_t f = 0; f < events_.size(); ++f)
    for (std::size_t e : after[f]) pairs_[e][f].synchronization = true;
}

void SerializabilityOracle::decide() {
  Closure closure(transactions_.size());
  std::map<ThreadId, std::size_t> current;  // the transaction of the thread's latest event
  for (std::size_t f = 0; f < events_.size(); ++f) {
    const std::size_t to = transaction_of_[f];
    const auto before = current.find(events_[f].thread);
    if (before != current.end() && before->second != to) closure.add_edge(before->second, to);
    current[events_[f].thread] = to;
    for (std::size_t e = 0; e < f; ++e)
      if (pairs_[e][f].data || pairs_[e][f].synchronization)
        closure.add_edge(transaction_of_[e], to);
    if (closure.reaches(to, to)) {
      first_violation_ = f;
      return;
    }
  }
}

bool SerializabilityOracle::depends(std::size_t e, std::size_t f, EdgeReason reason) const {
  if (e >= f || f >= events_.size()) return false;
  switch (reason) {
    case EdgeReason::kData:
      return pairs_[e][f].data;
    case EdgeReason::kSynchronization:
      return pairs_[e][f].synchronization;
    case EdgeReason::kProgramOrder:
      return events_[e].thread == events_[f].thread && transaction_of_[e] != transaction_of_[f];
  }
  return false;
}

}  // namespace isosan::test
