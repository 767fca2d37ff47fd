// Red-black successive over-relaxation on a grid, a barrier between half-sweeps.
// SOR_HOME_MADE_BARRIER: the original's barrier of plain flags, which is a race (SingleTrack, section 6).
#include <cmath>

#include "barrier.h"
#include "common.h"

class HomeMadeBarrier {
 public:
  explicit HomeMadeBarrier(int threads) : arrived_(static_cast<std::size_t>(threads) * 16) {}
  void wait(int me) {
    volatile long* flags = arrived_.data();
    const long phase = flags[me * 16] + 1;
    flags[me * 16] = phase;
    for (std::size_t i = 0; i < arrived_.size(); i += 16)
      while (flags[i] < phase) std::this_thread::yield();
  }

 private:
  std::vector<long> arrived_;
};

class Grid {
 public:
  explicit Grid(int n) : n_(n), cells_(static_cast<std::size_t>(n) * n) {
    Random random(7);
    for (double& cell : cells_) cell = random.unit() * 1e-6;
  }
  void relax_row(int row, int colour) {
    const double omega = 1.25, quarter = omega * 0.25, rest = 1.0 - omega;
    double* above = at(row - 1);
    double* here = at(row);
    double* below = at(row + 1);
    for (int j = 1 + (row + colour) % 2; j < n_ - 1; j += 2)
      here[j] = quarter * (above[j] + below[j] + here[j - 1] + here[j + 1]) + rest * here[j];
  }
  double sum() const {
    double total = 0;
    for (const double cell : cells_) total += cell;
    return total;
  }
  int size() const { return n_; }

 private:
  double* at(int row) { return cells_.data() + static_cast<std::size_t>(row) * n_; }
  int n_;
  std::vector<double> cells_;
};

double run(int threads, int sweeps) {
  Grid grid(500);
#ifdef SOR_HOME_MADE_BARRIER
  HomeMadeBarrier barrier(threads);
#else
  Barrier barrier(threads);
#endif
  in_parallel(threads, [&](int me) {
    const Share rows(grid.size() - 2, me, threads);
    for (int half = 0; half < 2 * sweeps; ++half) {
      for (int row = rows.begin + 1; row < rows.end + 1; ++row) grid.relax_row(row, half % 2);
#ifdef SOR_HOME_MADE_BARRIER
      barrier.wait(me);
#else
      barrier.wait();
#endif
    }
  });
  return grid.sum();
}

int main(int argc, char** argv) {
  const Arguments arguments(argc, argv);
  const double parallel = run(arguments.threads, 60 * arguments.scale);
  const double serial = arguments.scale == 1 ? run(1, 60) : parallel;
  return finish(std::fabs(parallel - serial) < 1e-12, "sor", parallel);
}
