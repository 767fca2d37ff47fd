// usage: racer THREADS ACCESSES WRITES_PER_16 FILE. Threads read and write a few shared words
// without any synchronization, in functions of their own (so that every access is in the log); each
// tells the uninstrumented recorder what it read or wrote, and every written value is unique.
#include <stdio.h>
#include <stdlib.h>

#include <thread>
#include <vector>

#include "record.h"

static unsigned long cells[4];

[[gnu::noinline]] unsigned long read_cell(unsigned i) { return cells[i]; }
[[gnu::noinline]] void write_cell(unsigned i, unsigned long value) { cells[i] = value; }

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
