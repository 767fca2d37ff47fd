// What the programs here share: workers that are forked and joined, and functions that both fronts
// see.
#pragma once

#include <cstring>
#include <thread>
#include <vector>

// What is inlined is no function of its own through the __tsan_* front.
#define OUT_OF_LINE __attribute__((noinline))

// Runs body(0) .. body(n - 1), each in a thread of its own, and joins them.
template <class Body>
void in_team(int n, Body body) {
  std::vector<std::thread> workers;
  for (int i = 0; i < n; ++i) workers.emplace_back([i, &body] { body(i); });
  for (std::thread& worker : workers) worker.join();
}

// Is the program's argument this one?
inline bool asked(int argc, char** argv, const char* what) {
  return argc > 1 && std::strcmp(argv[1], what) == 0;
}
