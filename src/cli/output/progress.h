// A progress line on the terminal; nothing if stderr is no terminal.
//
// Its cost is negligible: one batch in 256 reads the clock.
#pragma once

#include <chrono>
#include <cstdint>

namespace isosan {

class Progress {
 public:
  Progress();  // enabled only if stderr is a terminal
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // True when show() should be called.
  bool due() { return enabled_ && (++ticks_ & 255) == 0 && time_has_come(); }
  void show(std::uint64_t bytes_read, std::uint64_t bytes_total, std::uint64_t events);
  void clear();  // before anything else is printed

 private:
  using Clock = std::chrono::steady_clock;
  bool time_has_come();

  bool enabled_;
  bool shown_ = false;
  std::uint32_t ticks_ = 0;
  Clock::time_point start_ = Clock::now();
  Clock::time_point next_ = start_ + std::chrono::seconds(1);
};

}  // namespace isosan
