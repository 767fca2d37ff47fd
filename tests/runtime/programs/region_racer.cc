// usage: region_racer THREADS ACCESSES WRITES_PER_16 FILE. As racer, for the inline checks of the
// pass: each access is a region of its own, so that each is in the log.
#include <stdio.h>
#include <stdlib.h>

#include <thread>
#include <vector>

#include "record.h"

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

static void race(unsigned thread, unsigned long accesses, unsigned writes) {
  unsigned long random = thread * 7919 + 1;
  for (unsigned long n = 1; n <= accesses; ++n) {
    random = random * 6364136223846793005UL + 1442695040888963407UL;
    const unsigned cell = (random >> 33) % 4;
    if ((random >> 40) % 16 < writes) {
      const unsigned long value = n * 64 + thread;
      write_cell(cell, value);
      record(thread, 1, cell, value);
    } else {
      record(thread, 0, cell, read_cell(cell));
    }
  }
}

int main(int, char** argv) {
  const auto threads = static_cast<unsigned>(atoi(argv[1]));
  const auto accesses = strtoul(argv[2], nullptr, 10);
  const auto writes = static_cast<unsigned>(atoi(argv[3]));
  std::vector<std::thread> all;
  for (unsigned t = 0; t < threads; ++t) all.emplace_back(race, t, accesses, writes);
  for (std::thread& t : all) t.join();
  printf("cells=%p\n", static_cast<void*>(cells));
  fflush(stdout);
  record_dump(argv[4]);
  return 0;
}
