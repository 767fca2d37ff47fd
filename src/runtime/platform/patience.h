// How to wait for another thread: first by pauses on the processor, then by a few yields, then
// asleep. (On a busy machine a yield may cost a whole round of time slices, so it is no way to wait
// for long.) Each sleep is about as long as the wait was before it: a thousand threads that wait for
// one leave it the processor.
#pragma once

#include <cstdint>

#include "runtime/platform/arch.h"
#include "runtime/platform/os.h"

namespace isosan::rt {

class Patience {
 public:
  void wait() {
    if (turns_ < kPauses) {
      cpu_pause();
    } else if (turns_ < kPauses + kYields) {
      yield_cpu();
    } else {
      sleep_microseconds(kFirstSleep << doublings());
    }
    ++turns_;
  }
  std::uint64_t turns() const { return turns_; }
  bool is_long() const { return turns_ > kPauses + kYields; }  // it sleeps already

 private:
  static constexpr std::uint64_t kPauses = 64;
  static constexpr std::uint64_t kYields = 8;
  static constexpr std::uint64_t kFirstSleep = 20;    // microseconds
  static constexpr std::uint64_t kMostDoublings = 9;  // 10 milliseconds

  std::uint64_t doublings() const {
    const std::uint64_t sleeps = turns_ - kPauses - kYields;
    return sleeps < kMostDoublings ? sleeps : kMostDoublings;
  }
  std::uint64_t turns_ = 0;
};

}  // namespace isosan::rt
