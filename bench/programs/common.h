// What every benchmark program shares: its two arguments, its threads and its own check of the result.
//   PROGRAM [SCALE] [THREADS]     SCALE multiplies the work (default 1), THREADS defaults to 2
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <thread>
#include <vector>

struct Arguments {
  int scale = 1;
  int threads = 2;

  Arguments(int argc, char** argv) {
    if (argc > 1) scale = std::atoi(argv[1]);
    if (argc > 2) threads = std::atoi(argv[2]);
    if (scale < 1 || threads < 1) {
      std::fprintf(stderr, "usage: %s [SCALE] [THREADS]\n", argv[0]);
      std::exit(2);
    }
  }
};

// Runs body(0) .. body(threads - 1), each in a thread of its own, and joins them. The body is what the thread starts with, as
// run() of the papers' benchmarks: no region.
template <class Body>
void in_parallel(int threads, Body body) {
  std::vector<std::thread> workers;
  for (int i = 0; i < threads; ++i) workers.emplace_back(std::ref(body), i);
  for (std::thread& worker : workers) worker.join();
}

// The part [begin, end) of n things that falls to worker i.
struct Share {
  int begin, end;
  Share(int n, int i, int threads)
      : begin(static_cast<int>(std::int64_t{n} * i / threads)),
        end(static_cast<int>(std::int64_t{n} * (i + 1) / threads)) {}
};

// A small generator that is the same everywhere.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed * 2654435769u + 1) {}
  std::uint32_t next() {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return static_cast<std::uint32_t>(state_ >> 33);
  }
  double unit() { return next() / 2147483648.0; }

 private:
  std::uint64_t state_;
};

inline int finish(bool correct, const char* name, double value) {
  std::printf("%s %s %.6g\n", name, correct ? "ok" : "WRONG", value);
  return correct ? 0 : 1;
}
