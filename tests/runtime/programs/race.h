// The race of the racers: THREADS threads make ACCESSES accesses each to four cells, WRITES_PER_16
// of 16 of them writes, and tell the uninstrumented recorder what they read or wrote; every written
// value is unique. The program that includes this says what a cell is and how it is accessed, in
// functions of their own (so that every access is in the log).
#pragma once

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include <thread>
#include <vector>

#include "record.h"

unsigned long read_cell(unsigned i);
void write_cell(unsigned i, unsigned long value);

// All are there before the first one begins: one that had ended before would hand its slot on, and
// with it its words, without a transfer.
inline pthread_barrier_t all_are_there;

inline void race(unsigned thread, unsigned long accesses, unsigned writes) {
  pthread_barrier_wait(&all_are_there);
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
    if (n % 256 == 0) std::this_thread::yield();  // on a busy machine they would not meet
  }
}

// The command line: THREADS ACCESSES WRITES_PER_16 FILE.
inline int race_over(void* cells, char** argv) {
  const auto threads = static_cast<unsigned>(atoi(argv[1]));
  const auto accesses = strtoul(argv[2], nullptr, 10);
  const auto writes = static_cast<unsigned>(atoi(argv[3]));
  pthread_barrier_init(&all_are_there, nullptr, threads);
  std::vector<std::thread> all;
  for (unsigned t = 0; t < threads; ++t) all.emplace_back(race, t, accesses, writes);
  for (std::thread& t : all) t.join();
  printf("cells=%p\n", cells);
  fflush(stdout);
  record_dump(argv[4]);
  return 0;
}
