// Dense matrix product, rows dealt to threads.
#include <cmath>

#include "common.h"

class Matrix {
 public:
  explicit Matrix(int n) : n_(n), cells_(static_cast<std::size_t>(n) * n) {}
  double& at(int i, int j) { return cells_[static_cast<std::size_t>(i) * n_ + j]; }
  double at(int i, int j) const { return cells_[static_cast<std::size_t>(i) * n_ + j]; }
  void fill(std::uint64_t seed) {
    Random random(seed);
    for (double& cell : cells_) cell = random.unit();
  }
  void set_row_of_product(int i, const Matrix& a, const Matrix& b) {
    for (int j = 0; j < n_; ++j) {
      double sum = 0;
      for (int k = 0; k < n_; ++k) sum += a.at(i, k) * b.at(k, j);
      at(i, j) = sum;
    }
  }

 private:
  int n_;
  std::vector<double> cells_;
};

int main(int argc, char** argv) {
  const Arguments arguments(argc, argv);
  const int n = 200 + 40 * arguments.scale;
  Matrix a(n), b(n), c(n);
  a.fill(1);
  b.fill(2);
  in_parallel(arguments.threads, [&](int me) {
    const Share share(n, me, arguments.threads);
    for (int i = share.begin; i < share.end; ++i) c.set_row_of_product(i, a, b);
  });
  double expected = 0, row = 0;  // sum of the first row, by another way
  for (int k = 0; k < n; ++k) {
    double sum = 0;
    for (int j = 0; j < n; ++j) sum += b.at(k, j);
    expected += a.at(0, k) * sum;
  }
  for (int j = 0; j < n; ++j) row += c.at(0, j);
  return finish(std::fabs(row - expected) < 1e-6, "matrixmult", row);
}
