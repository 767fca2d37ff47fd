// LU factorisation with partial pivoting: columns dealt to threads, a barrier per pivot.
#include <cmath>

#include "barrier.h"
#include "common.h"

class Matrix {
 public:
  explicit Matrix(int n) : n_(n), columns_(n, std::vector<double>(n)), pivot_(n) {
    Random random(5);
    for (auto& column : columns_)
      for (double& v : column) v = random.unit() - 0.5;
  }
  void choose_pivot(int k) {
    auto& column = columns_[k];
    int best = k;
    for (int i = k + 1; i < n_; ++i)
      if (std::fabs(column[i]) > std::fabs(column[best])) best = i;
    pivot_[k] = best;
    std::swap(column[k], column[best]);
    for (int i = k + 1; i < n_; ++i) column[i] /= column[k];
  }
  void eliminate(int k, int j) {
    auto& column = columns_[j];
    const auto& multipliers = columns_[k];
    std::swap(column[k], column[pivot_[k]]);
    const double factor = column[k];
    for (int i = k + 1; i < n_; ++i) column[i] -= factor * multipliers[i];
  }
  double log_determinant() const {
    double sum = 0;
    for (int k = 0; k < n_; ++k) sum += std::log(std::fabs(columns_[k][k]));
    return sum;
  }

 private:
  int n_;
  std::vector<std::vector<double>> columns_;
  std::vector<int> pivot_;
};

double factor(int n, int threads) {
  Matrix matrix(n);
  Barrier barrier(threads);
  in_parallel(threads, [&](int me) {
    for (int k = 0; k < n - 1; ++k) {
      if (k % threads == me) matrix.choose_pivot(k);
      barrier.wait();
      for (int j = k + 1; j < n; ++j)
        if (j % threads == me) matrix.eliminate(k, j);
      barrier.wait();
    }
  });
  return matrix.log_determinant();
}

int main(int argc, char** argv) {
  const Arguments arguments(argc, argv);
  const int n = 250 + 50 * arguments.scale;
  const double parallel = factor(n, arguments.threads);
  const double serial = arguments.scale == 1 ? factor(n, 1) : parallel;
  return finish(std::fabs(parallel - serial) < 1e-9, "lufact", parallel);
}
