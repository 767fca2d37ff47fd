// Java Grande raytracer (SingleTrack, Penelope): every worker adds its part to one checksum without
// a lock.
#include <mutex>
#include <thread>
#include <vector>

#include "bug.h"

namespace {

long checksum = 0;
std::mutex checksum_mutex;

int brightness(int x, int y) { return (x * 31 + y * 17) % 256; }

}  // namespace

void render(int from, int to) {
  long part = 0;
  for (int y = from; y < to; ++y)
    for (int x = 0; x < 8; ++x) part += brightness(x, y);
  if (bug::kFixed) {
    std::lock_guard guard(checksum_mutex);
    checksum += part;
  } else {
    checksum += part;
  }
}

int main() {
  long expected = 0;
  for (int y = 0; y < 8; ++y)
    for (int x = 0; x < 8; ++x) expected += brightness(x, y);
  std::vector<bug::Thread> workers;
  for (int part = 0; part < 2; ++part)
    workers.emplace_back([part] { render(part * 4, part * 4 + 4); });
  for (bug::Thread& worker : workers) worker.join();
  bug::require(checksum == expected * bug::kRounds, "the checksum has every row");
}
