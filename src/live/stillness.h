// Does a run go round? Its threads only look, again and again, for what none of them brings about: a
// livelock, as opposed to a run that is slow.
//
// Model: some operations leave everything as it was (Kind without trait::kChanges): reads, taking and
// giving back a lock, a compare-exchange that failed, a wait that timed out. The run is still when
// `limit` operations in a row were such, all of them at few addresses: a thread that works its way
// through memory comes to ever new ones.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "event/ids.h"
#include "event/kind.h"

namespace isosan {

class Stillness {
 public:
  static constexpr std::size_t kMostPlaces = 32;
  static constexpr std::uint64_t kNever = ~std::uint64_t{0};

  explicit Stillness(std::uint64_t limit) : limit_(limit) {}
  bool is_wanted() const { return limit_ != kNever; }
  // `detail`: of the event (event.h).
  void take(Kind kind, std::uint8_t detail, Address address);
  void start_again() { operations_ = known_ = 0; }
  bool is_reached() const { return operations_ >= limit_; }

 private:
  bool knows(Address address);

  std::uint64_t limit_;
  std::uint64_t operations_ = 0;  // since the last change
  std::array<Address, kMostPlaces> places_{};
  std::size_t known_ = 0;  // of them
  std::size_t at_ = 0;     // the place of the last operation
};

}  // namespace isosan
