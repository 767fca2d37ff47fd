// usage: racer THREADS ACCESSES WRITES_PER_16 FILE. Plain accesses without any synchronization
// (race.h).
#include "race.h"

static unsigned long cells[4];

[[gnu::noinline]] unsigned long read_cell(unsigned i) { return cells[i]; }
[[gnu::noinline]] void write_cell(unsigned i, unsigned long value) { cells[i] = value; }

int main(int, char** argv) { return race_over(cells, argv); }
