// What FastTrack remembers of the accesses to a location.
//
// Model: of accesses that are ordered among each other only the last matters: whoever comes after
// it comes after all. So the plain writes of a race-free location are one epoch (W), its plain
// reads one epoch (R), or, from the first two concurrent reads until the next write, a set. Atomic
// accesses do not race with each other and need not be ordered: they are sets from the start. A set
// keeps the accesses that no other one in it is known to follow, at most one per thread: what the
// paper keeps as a vector clock, without the entries that decide nothing.
// Law: an access that races with one that a set has dropped races with one that it keeps.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/vector_clock.h"
#include "event/event.h"

namespace isosan {

struct AccessRecord {
  Epoch epoch;  // Epoch{}: none
  std::uint64_t ordinal = 0;
  SiteId site{};
  ContextId context{};
  RegionId region{};
  Kind kind{};
};
static_assert(sizeof(AccessRecord) == 32);

class AccessSet {
 public:
  // The record of this thread's last access, if it is still kept.
  const AccessRecord* of_thread(std::uint32_t thread) const {
    const auto found = position_of(thread);
    return found != records_.end() && found->epoch.thread() == thread ? &*found : nullptr;
  }

  // `now` is the clock of the thread that makes the access.
  void add(const AccessRecord& access, const VectorClock& now) {
    const std::uint32_t thread = access.epoch.thread();
    const auto found = position_of(thread);
    if (found != records_.end() && found->epoch.thread() == thread) {
      records_[static_cast<std::size_t>(found - records_.begin())] = access;
      return;
    }
    std::erase_if(records_, [&](const AccessRecord& old) { return now.covers(old.epoch); });
    records_.insert(position_of(thread), access);
  }

  void clear() { records_.clear(); }
  bool empty() const { return records_.empty(); }
  auto begin() const { return records_.begin(); }
  auto end() const { return records_.end(); }

 private:
  std::vector<AccessRecord>::const_iterator position_of(std::uint32_t thread) const {
    return std::lower_bound(
        records_.begin(), records_.end(), thread,
        [](const AccessRecord& record, std::uint32_t id) { return record.epoch.thread() < id; });
  }

  std::vector<AccessRecord> records_;  // sorted by thread
};

// The part that few locations need.
struct RareHistory {
  AccessSet reads;  // in use while LocationHistory::read is kShared
  AccessSet atomic_reads;
  AccessSet atomic_writes;
};

// A value type, as ByteMap asks: a copy has a copy of the rare part.
struct LocationHistory {
  static constexpr Epoch kShared{(1u << (64 - Epoch::kTimeBits)) - 1, Epoch::kMaxTime};

  AccessRecord write;  // W
  AccessRecord read;   // R; epoch kShared: the reads are in rare->reads
  std::unique_ptr<RareHistory> rare;

  LocationHistory() = default;
  LocationHistory(LocationHistory&&) noexcept = default;
  LocationHistory& operator=(LocationHistory&&) noexcept = default;
  LocationHistory(const LocationHistory& other)
      : write(other.write),
        read(other.read),
        rare(other.rare ? std::make_unique<RareHistory>(*other.rare) : nullptr) {}
  LocationHistory& operator=(const LocationHistory& other) {
    return *this = LocationHistory(other);
  }
  ~LocationHistory() = default;

  RareHistory& make_rare() {
    if (!rare) rare = std::make_unique<RareHistory>();
    return *rare;
  }
};

}  // namespace isosan
