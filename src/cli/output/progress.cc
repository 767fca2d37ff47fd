#include "cli/output/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

namespace isosan {

Progress::Progress() : enabled_(isatty(STDERR_FILENO) == 1) {}

Progress::~Progress() { clear(); }

bool Progress::time_has_come() {
  const Clock::time_point now = Clock::now();
  if (now < next_) return false;
  next_ = now + std::chrono::milliseconds(200);
  return true;
}

void Progress::show(std::uint64_t bytes_read, std::uint64_t bytes_total, std::uint64_t events) {
  const std::chrono::duration<double> elapsed = Clock::now() - start_;
  const double millions = static_cast<double>(events) / 1e6;
  fmt::print(stderr, "\r\033[K");
  if (bytes_total != 0) fmt::print(stderr, "{:3} %, ", 100 * bytes_read / bytes_total);
  fmt::print(stderr, "{:.1f} M events, {:.1f} M/s", millions, millions / elapsed.count());
  std::fflush(stderr);
  shown_ = true;
}

void Progress::clear() {
  if (!shown_) return;
  fmt::print(stderr, "\r\033[K");
  std::fflush(stderr);
  shown_ = false;
}

}  // namespace isosan
