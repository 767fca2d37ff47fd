// How to wait for another thread: first by pauses on the processor, then by a few yields, then
// asleep. (On a busy machine a yield may cost a whole round of time slices, so it is no way to wait
// for long.)
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
      sleep_microseconds(20);
    }
    ++turns_;
  }
  std::uint64_t turns() const { return turns_; }
  bool is_long() const { return turns_ > kPauses + kYields; }  // it sleeps already

 private:
  static constexpr std::uint64_t kPauses = 64;
  static constexpr std::uint64_t kYields = 8;
  std::uint64_t turns_ = 0;
};

}  // namespace isosan::rt
