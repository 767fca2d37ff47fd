// Matrix multiply (Penelope): the workers take rows from a shared counter; that they look whether
// one is left before they take it is a violation of atomicity that is no error, for taking looks
// again. Both versions are correct.
#include <mutex>
#include <thread>

#include "bug.h"

namespace {

constexpr int kSize = 3;
int left_matrix[kSize][kSize];
int right_matrix[kSize][kSize];
int product[kSize][kSize];

class Rows {
 public:
  bool any() {
    std::lock_guard guard(mutex_);
    return next_ < kSize;
  }
  int take() {
    std::lock_guard guard(mutex_);
    return next_ < kSize ? next_++ : -1;
  }
  int look_and_take() {
    std::unique_lock<std::recursive_mutex> whole(mutex_, std::defer_lock);
    if (bug::kFixed) whole.lock();
    return any() ? take() : -1;
  }

 private:
  std::recursive_mutex mutex_;
  int next_ = 0;
};

void multiply_row(int row) {
  for (int column = 0; column < kSize; ++column) {
    int sum = 0;
    for (int i = 0; i < kSize; ++i) sum += left_matrix[row][i] * right_matrix[i][column];
    product[row][column] = sum;
  }
}

}  // namespace

int main() {
  for (int i = 0; i < kSize; ++i) {
    for (int j = 0; j < kSize; ++j) left_matrix[i][j] = i + j;
    right_matrix[i][i] = 2;
  }
  Rows rows;
  auto work = [&] {
    for (int row = rows.look_and_take(); row >= 0; row = rows.look_and_take()) {
      multiply_row(row);
      if (bug::kRounds > 1) break;
    }
  };
  bug::Thread first(work);
  bug::Thread second(work);
  first.join();
  second.join();
  for (int i = 0; i < kSize; ++i)
    for (int j = 0; j < kSize; ++j)
      bug::require(product[i][j] == 2 * left_matrix[i][j], "the product is right");
}
