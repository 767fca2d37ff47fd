// What kinds of events mean for the well-formedness of a trace, and where in a batch they are.
//
// A reader that sees each kind once per chunk gets cheaply what the Validator would have to
// check every event for.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "event/kind.h"

namespace isosan {

// As a table: a look-up is no branch.
enum Meaning : std::uint8_t {
  kEdge = 1,  // begins or ends a region
  kLock = 2,  // acquires or releases
  kRare = 4,  // concerns the lifetime of other threads, or of memory
};
inline constexpr std::array<std::uint8_t, kKindCount> kMeanings = [] {
  std::array<std::uint8_t, kKindCount> meanings{};
  const auto of = [&](Kind kind) -> std::uint8_t& {
    return meanings[static_cast<std::size_t>(kind)];
  };
  of(Kind::kBegin) = of(Kind::kEnd) = kEdge;
  of(Kind::kAcquire) = of(Kind::kRelease) = kLock;
  of(Kind::kFork) = of(Kind::kJoin) = of(Kind::kAllocate) = of(Kind::kFree) = kRare;
  return meanings;
}();
constexpr std::uint8_t meaning_of(Kind kind) { return kMeanings[static_cast<std::size_t>(kind)]; }

// The positions of a batch's region edges and lock operations, each list in order.
class EdgesAndLocks {
 public:
  // Forgets all, and makes room for so many events.
  void start(std::size_t events) {
    if (edges_.size() <= events) edges_.resize(events + 1), locks_.resize(events + 1);
    edge_count_ = lock_count_ = 0;
  }
  std::span<const std::uint32_t> edges() const { return {edges_.data(), edge_count_}; }
  std::span<const std::uint32_t> locks() const { return {locks_.data(), lock_count_}; }

  // Adds events one by one, without a branch; its members stay in registers. finish() keeps them.
  class Filler {
   public:
    explicit Filler(EdgesAndLocks& all)
        : all_(&all), edge_(all.edges_.data()), lock_(all.locks_.data()) {}
    void add(std::size_t position, unsigned meaning) {
      *edge_ = *lock_ = static_cast<std::uint32_t>(position);
      edge_ += meaning & kEdge;
      lock_ += (meaning & kLock) / kLock;
    }
    void finish() {
      all_->edge_count_ = static_cast<std::size_t>(edge_ - all_->edges_.data());
      all_->lock_count_ = static_cast<std::size_t>(lock_ - all_->locks_.data());
    }

   private:
    EdgesAndLocks* all_;
    std::uint32_t* edge_;
    std::uint32_t* lock_;
  };

 private:
  std::vector<std::uint32_t> edges_, locks_;  // one more than events: the next one's place
  std::size_t edge_count_ = 0, lock_count_ = 0;
};

// A batch in which no event is rare, and all are of some of these threads.
struct BatchOutline {
  EdgesAndLocks positions;
  std::span<const std::uint64_t> threads;
};

}  // namespace isosan
