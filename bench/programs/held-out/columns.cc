// Sparse matrix, stored by columns, times vector, many times: each thread scatters the products of its columns into a sum of
// its own, and the sums are added up between barriers.
#include <cmath>

#include "../barrier.h"
#include "../common.h"

class ColumnMatrix {
 public:
  ColumnMatrix(int n, int per_column) : n_(n) {
    Random random(13);
    for (int column = 0; column < n; ++column) {
      start_.push_back(static_cast<int>(row_.size()));
      for (int i = 0; i < per_column; ++i) {
        row_.push_back(static_cast<int>(random.next() % static_cast<unsigned>(n)));
        value_.push_back(random.unit() / per_column);
      }
    }
    start_.push_back(static_cast<int>(row_.size()));
  }
  void add_column(int column, double factor, std::vector<double>& sum) const {
    for (int i = start_[column]; i < start_[column + 1]; ++i) sum[row_[i]] += value_[i] * factor;
  }
  int size() const { return n_; }

 private:
  int n_;
  std::vector<int> start_, row_;
  std::vector<double> value_;
};

class Iteration {
 public:
  Iteration(const ColumnMatrix& matrix, int threads)
      : matrix_(matrix), x_(matrix.size(), 1.0), sums_(threads, std::vector<double>(matrix.size())) {}
  void multiply(int me, Share columns) {
    for (double& value : sums_[me]) value = 0;
    for (int column = columns.begin; column < columns.end; ++column) matrix_.add_column(column, x_[column], sums_[me]);
  }
  void collect(Share rows) {
    for (int row = rows.begin; row < rows.end; ++row) {
      x_[row] = 0.5;
      for (const auto& sum : sums_) x_[row] += sum[row];
    }
  }
  double total() const {
    double sum = 0;
    for (const double value : x_) sum += value;
    return sum;
  }

 private:
  const ColumnMatrix& matrix_;
  std::vector<double> x_;
  std::vector<std::vector<double>> sums_;
};

double power(const ColumnMatrix& matrix, int threads, int rounds) {
  Iteration iteration(matrix, threads);
  Barrier barrier(threads);
  in_parallel(threads, [&](int me) {
    const Share share(matrix.size(), me, threads);
    for (int round = 0; round < rounds; ++round) {
      iteration.multiply(me, share);
      barrier.wait();
      iteration.collect(share);
      barrier.wait();
    }
  });
  return iteration.total();
}

int main(int argc, char** argv) {
  const Arguments arguments(argc, argv);
  const ColumnMatrix matrix(20000, 6);
  const double parallel = power(matrix, arguments.threads, 40 * arguments.scale);
  const double serial = arguments.scale == 1 ? power(matrix, 1, 40) : parallel;
  return finish(std::fabs(parallel - serial) < 1e-9 * serial, "columns", parallel);
}
