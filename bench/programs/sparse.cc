// Sparse matrix times vector, many times; rows dealt to threads.
#include <cmath>

#include "barrier.h"
#include "common.h"

class SparseMatrix {
 public:
  SparseMatrix(int n, int per_row) : n_(n) {
    Random random(11);
    for (int row = 0; row < n; ++row) {
      start_.push_back(static_cast<int>(column_.size()));
      for (int i = 0; i < per_row; ++i) {
        column_.push_back(static_cast<int>(random.next() % static_cast<unsigned>(n)));
        value_.push_back(random.unit() / per_row);
      }
    }
    start_.push_back(static_cast<int>(column_.size()));
  }
  double row_times(int row, const std::vector<double>& x) const {
    double sum = 0;
    for (int i = start_[row]; i < start_[row + 1]; ++i) sum += value_[i] * x[column_[i]];
    return sum;
  }
  int size() const { return n_; }

 private:
  int n_;
  std::vector<int> start_, column_;
  std::vector<double> value_;
};

double power(const SparseMatrix& matrix, int threads, int rounds) {
  std::vector<double> x(matrix.size(), 1.0), y(matrix.size());
  Barrier barrier(threads);
  in_parallel(threads, [&](int me) {
    const Share share(matrix.size(), me, threads);
    for (int round = 0; round < rounds; ++round) {
      for (int row = share.begin; row < share.end; ++row) y[row] = matrix.row_times(row, x);
      barrier.wait();
      for (int row = share.begin; row < share.end; ++row) x[row] = y[row] + 0.5;
      barrier.wait();
    }
  });
  double sum = 0;
  for (const double v : x) sum += v;
  return sum;
}

int main(int argc, char** argv) {
  const Arguments arguments(argc, argv);
  const SparseMatrix matrix(20000, 5);
  const double parallel = power(matrix, arguments.threads, 50 * arguments.scale);
  const double serial = arguments.scale == 1 ? power(matrix, 1, 50) : parallel;
  return finish(std::fabs(parallel - serial) < 1e-9 * serial, "sparse", parallel);
}
