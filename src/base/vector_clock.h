// Logical time: an epoch is one thread's time c@t, a vector clock has one time per thread.
//
// Model: a thread's own entry counts its publications (release-like operations): it is incremented
// *after* each, so that all operations between two publications have one time. A clock C
// of thread u covers the epoch c@t when C(t) >= c: all that t did at that time happens before u's
// next operation. Law: times start at 1; Epoch{} (time 0) is before everything, entries never set
// are 0. Law: with one publication per time, covering c@t implies covering all that t knew when it
// published at time c. It saves many joins (happens_before.h). Paper: Mattern 1988; epochs after
// Flanagan and Freund, FastTrack, PLDI 2009.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/check.h"
#include "base/shared_times.h"

namespace isosan {

class Epoch {
 public:
  static constexpr int kTimeBits = 40;  // 10^12 publications, 16 M threads
  static constexpr std::uint64_t kMaxTime = (std::uint64_t{1} << kTimeBits) - 1;

  constexpr Epoch() = default;
  constexpr Epoch(std::uint32_t thread, std::uint64_t time)
      : bits_(std::uint64_t{thread} << kTimeBits | time) {}

  constexpr std::uint32_t thread() const { return static_cast<std::uint32_t>(bits_ >> kTimeBits); }
  constexpr std::uint64_t time() const { return bits_ & kMaxTime; }
  constexpr bool operator==(const Epoch&) const = default;

 private:
  std::uint64_t bits_ = 0;
};
static_assert(sizeof(Epoch) == 8);

// The first kPlain threads have an entry each in one array; those of later ones are shared between
// clocks (shared_times.h), because programs of thousands of threads have thousands of clocks.
class VectorClock {
 public:
  std::uint64_t operator[](std::uint32_t thread) const {
    if (thread >= kPlain) [[unlikely]]
      return later_[thread - kPlain];
    return thread < times_.size() ? times_[thread] : 0;
  }
  Epoch epoch_of(std::uint32_t thread) const { return {thread, (*this)[thread]}; }

  bool covers(Epoch epoch) const { return (*this)[epoch.thread()] >= epoch.time(); }

  bool covers(const VectorClock& other) const {
    const std::size_t common = std::min(times_.size(), other.times_.size());
    for (std::size_t i = 0; i < common; ++i) {
      if (times_[i] < other.times_[i]) return false;
    }
    return std::all_of(other.times_.begin() + static_cast<std::ptrdiff_t>(common),
                       other.times_.end(), [](std::uint64_t time) { return time == 0; }) &&
           later_.covers(other.later_);
  }

  void join(const VectorClock& other) {
    if (times_.size() < other.times_.size()) times_.resize(other.times_.size());
    std::uint64_t* mine = times_.data();
    const std::uint64_t* theirs = other.times_.data();
    for (std::size_t i = 0; i < other.times_.size(); ++i) {
      mine[i] = mine[i] < theirs[i] ? theirs[i] : mine[i];
    }
    if (!other.later_.empty()) [[unlikely]]
      later_.join(other.later_);
  }

  void join(Epoch epoch) {
    if (covers(epoch)) return;
    entry(epoch.thread()) = epoch.time();
  }

  void tick(std::uint32_t thread) {
    ISOSAN_CHECK(thread < (1u << (64 - Epoch::kTimeBits)));
    std::uint64_t& mine = entry(thread);
    ISOSAN_CHECK(mine < Epoch::kMaxTime);
    ++mine;
  }

  void clear() {  // keeps the storage of the array: cleared clocks are filled again
    times_.clear();
    later_.clear();
  }
  bool empty() const { return times_.empty() && later_.empty(); }

 private:
  static constexpr std::uint32_t kPlain = 64;

  std::uint64_t& entry(std::uint32_t thread) {
    if (thread >= kPlain) [[unlikely]]
      return later_.entry(thread - kPlain);
    if (thread >= times_.size()) times_.resize(thread + std::size_t{1});
    return times_[thread];
  }

  std::vector<std::uint64_t> times_;
  SharedTimes later_;
};

}  // namespace isosan
