// The accesses to a location that FastTrack keeps.
//
// Model: of accesses that are ordered among each other only the last matters: what comes after it
// comes after all. So the plain writes of a race-free location are one epoch (W), its plain reads
// one epoch (R), or, from the first two concurrent reads until the next write, a set. Atomic
// accesses do not race with each other and need not be ordered: they are sets from the start. A set
// keeps the accesses that no other one in it is known to follow, at most one per thread. The paper
// keeps a vector clock instead; entries that decide nothing are left out here. Law: an access that
// races with one that a set has dropped races with one that it keeps.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "absl/container/inlined_vector.h"
#include "base/vector_clock.h"
#include "event/event.h"

namespace isosan {

struct AccessRecord {
  Epoch epoch;  // Epoch{}: none
  std::uint64_t ordinal = 0;
  SiteId site{};
  ContextId context{};
  std::uint32_t tag = 0;  // for the analysis: FastTrack keeps the region
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
    const auto gone =
        std::remove_if(records_.begin(), records_.end(),
                       [&](const AccessRecord& old) { return now.covers(old.epoch); });
    records_.erase(gone, records_.end());
    records_.insert(position_of(thread), access);
  }

  void clear() { records_.clear(); }
  bool empty() const { return records_.empty(); }
  auto begin() const { return records_.begin(); }
  auto end() const { return records_.end(); }

 private:
  using Records = absl::InlinedVector<AccessRecord, 2>;  // most are read by two threads
  Records::const_iterator position_of(std::uint32_t thread) const {
    return std::lower_bound(
        records_.begin(), records_.end(), thread,
        [](const AccessRecord& record, std::uint32_t id) { return record.epoch.thread() < id; });
  }

  Records records_;  // sorted by thread
};

// The rules of Flanagan and Freund 2009, Figure 5, for the accesses.
enum class Rule : std::uint8_t {
  kReadSameEpoch,
  kReadExclusive,
  kReadShare,
  kReadShared,
  kWriteSameEpoch,
  kWriteExclusive,
  kWriteShared,
};
inline constexpr std::size_t kRuleCount = 7;

// The plain accesses of a location. An access is first checked (for_each_unordered_...), then
// noted. A value type, as ByteMap asks: a copy has a copy of the set.
class PlainHistory {
 public:
  PlainHistory() = default;
  PlainHistory(PlainHistory&&) noexcept = default;
  PlainHistory& operator=(PlainHistory&&) noexcept = default;
  PlainHistory(const PlainHistory& other)
      : write_(other.write_),
        read_(other.read_),
        shared_(other.shared_ ? std::make_unique<AccessSet>(*other.shared_) : nullptr) {}
  PlainHistory& operator=(const PlainHistory& other) { return *this = PlainHistory(other); }
  ~PlainHistory() = default;

  bool is_empty() const { return write_.epoch == Epoch{} && read_.epoch == Epoch{}; }

  // Nothing to check and nothing to note: [FT READ SAME EPOCH], [FT WRITE SAME EPOCH].
  bool was_read_at(Epoch now) const { return read_.epoch == now; }
  bool was_written_at(Epoch now) const { return write_.epoch == now; }

  // The usual access, checked and noted in one step: it comes after the last write and the last
  // read, and reads are not shared. False: nothing was done.
  bool read_in_order(const AccessRecord& access, const VectorClock& now) {
    if (!now.covers(write_.epoch) || !now.covers(read_.epoch)) return false;
    read_ = access;
    return true;
  }
  bool write_in_order(const AccessRecord& access, const VectorClock& now) {
    if (!now.covers(write_.epoch) || !now.covers(read_.epoch)) return false;
    write_ = access;
    return true;
  }

  template <class F>
  void for_each_unordered_write(const VectorClock& now, F&& f) const {
    if (!now.covers(write_.epoch)) [[unlikely]]
      f(write_);
  }
  template <class F>
  void for_each_unordered_read(const VectorClock& now, F&& f) const {
    for_each_read([&](const AccessRecord& read) {
      if (!now.covers(read.epoch)) f(read);
    });
  }
  template <class F>
  void for_each_read(F&& f) const {
    if (read_.epoch != kShared) {
      if (read_.epoch != Epoch{}) f(read_);
      return;
    }
    for (const AccessRecord& read : *shared_) f(read);
  }
  const AccessRecord* last_write() const { return write_.epoch == Epoch{} ? nullptr : &write_; }

  Rule note_read(const AccessRecord& access, const VectorClock& now) {
    if (read_.epoch == kShared) {
      add_shared(access, now);
      return Rule::kReadShared;
    }
    if (now.covers(read_.epoch)) {
      read_ = access;
      return Rule::kReadExclusive;
    }
    if (!shared_) shared_ = std::make_unique<AccessSet>();
    shared_->clear();
    const AccessRecord first = read_;
    read_ = {.epoch = kShared};
    add_shared(first, VectorClock{});
    add_shared(access, now);
    return Rule::kReadShare;
  }

  Rule note_write(const AccessRecord& access) {
    write_ = access;
    if (read_.epoch != kShared) return Rule::kWriteExclusive;
    read_ = {};  // all reads come before this write, or have been reported
    return Rule::kWriteShared;
  }

  // In the shared state: has this thread read at this time already?
  bool was_read_shared_at(Epoch now) const {
    if (read_.epoch != kShared) return false;
    if (latest(now.thread()) == now) return true;
    const AccessRecord* mine = shared_->of_thread(now.thread());
    return mine != nullptr && mine->epoch == now;
  }

 private:
  // In the shared state the other fields of read_ are unused. They hold when two threads, one of
  // even and one of odd number, have read last, so that the set need not be searched for them.
  struct Place {
    SiteId site;
    ContextId context;
  };
  Epoch latest(std::uint32_t thread) const {
    return thread % 2 == 0 ? std::bit_cast<Epoch>(read_.ordinal)
                           : std::bit_cast<Epoch>(Place{read_.site, read_.context});
  }
  void add_shared(const AccessRecord& access, const VectorClock& now) {
    shared_->add(access, now);
    if (access.epoch.thread() % 2 == 0) {
      read_.ordinal = std::bit_cast<std::uint64_t>(access.epoch);
    } else {
      const auto place = std::bit_cast<Place>(access.epoch);
      read_.site = place.site;
      read_.context = place.context;
    }
  }

  static constexpr Epoch kShared{(1u << (64 - Epoch::kTimeBits)) - 1, Epoch::kMaxTime};

  AccessRecord write_;                 // W
  AccessRecord read_;                  // R; epoch kShared: the reads are in *shared_
  std::unique_ptr<AccessSet> shared_;  // kept when no longer shared: it will be again
};

}  // namespace isosan
