// usage: region_racer THREADS ACCESSES WRITES_PER_16 FILE. As racer, for the inline checks of the
// pass: each access is a region of its own, so that each is in the log (race.h).
#include "race.h"

extern "C" void __isosan_region_begin(const void* site, const void* object, unsigned kind);
extern "C" void __isosan_region_end(const void* site, const void* object, unsigned kind);

static unsigned long cells[4];

[[gnu::noinline]] unsigned long read_cell(unsigned i) {
  __isosan_region_begin(nullptr, nullptr, 0);
  const unsigned long value = cells[i];
  __isosan_region_end(nullptr, nullptr, 0);
  return value;
}
[[gnu::noinline]] void write_cell(unsigned i, unsigned long value) {
  __isosan_region_begin(nullptr, nullptr, 0);
  cells[i] = value;
  __isosan_region_end(nullptr, nullptr, 0);
}

int main(int, char** argv) { return race_over(cells, argv); }
