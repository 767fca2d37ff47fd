// usage: atomic_racer THREADS ACCESSES WRITES_PER_16 FILE. std::atomic, relaxed, and no other
// synchronization (race.h).
#include <atomic>

#include "race.h"

static std::atomic<unsigned long> cells[4];

[[gnu::noinline]] unsigned long read_cell(unsigned i) {
  return cells[i].load(std::memory_order_relaxed);
}
[[gnu::noinline]] void write_cell(unsigned i, unsigned long value) {
  cells[i].store(value, std::memory_order_relaxed);
}

int main(int, char** argv) { return race_over(cells, argv); }
