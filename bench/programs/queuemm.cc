// A pool that multiplies matrices; each task multiplies by divide and conquer, in two threads of its own (after the
// SingleTrack paper's queue-mm).
#include "tasks.h"

using Row = std::vector<double>;
using Matrix = std::vector<Row>;

class Product {
 public:
  Product(int n, int seed) : n_(n), a_(random(n, seed)), b_(random(n, seed + 1)), c_(a_.size(), Row(a_.size())) {}
  void run_task() {
    in_parallel(2, [this](int half) { multiply_rows(Share(n_, half, 2)); });
  }
  double trace() const {
    double sum = 0;
    for (int i = 0; i < n_; ++i) sum += c_[static_cast<std::size_t>(i)][static_cast<std::size_t>(i)];
    return sum;
  }

 private:
  static Matrix random(int n, int seed) {
    Random random(static_cast<std::uint64_t>(seed));
    Matrix m(static_cast<std::size_t>(n), Row(static_cast<std::size_t>(n)));
    for (Row& row : m)
      for (double& cell : row) cell = random.unit();
    return m;
  }
  void multiply_rows(Share rows) {
    for (int i = rows.begin; i < rows.end; ++i) multiply_row(a_[static_cast<std::size_t>(i)], c_[static_cast<std::size_t>(i)]);
  }
  void multiply_row(const Row& a, Row& c) {
    for (std::size_t k = 0; k < a.size(); ++k)
      for (std::size_t j = 0; j < c.size(); ++j) c[j] += a[k] * b_[k][j];
  }

  int n_;
  Matrix a_, b_, c_;
};

int main(int argc, char** argv) {
  const Arguments arguments(argc, argv);
  std::vector<Product> products;
  for (int i = 0; i < 4 * arguments.scale; ++i) products.emplace_back(100, i);
  WorkQueue queue(arguments.threads);
  for (Product& product : products) queue.submit([&product] { product.run_task(); });
  queue.finish();
  double sum = 0;
  for (const Product& product : products) sum += product.trace();
  Product again(100, 0);
  again.run_task();
  return finish(products[0].trace() == again.trace() && sum > 0, "queuemm", sum);
}
