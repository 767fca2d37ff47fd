// A list is copied element by element, each under the lock: the copy is of no moment.
// finds: velodrome doublechecker marathon atomizer
// blames: copy
#include <mutex>
#include <thread>

#include "steps.h"

class Matrix {
 public:
  int at(int i) {
    std::lock_guard lock(mutex_);
    return cells_[i];
  }
  void fill(int value) {
    std::lock_guard lock(mutex_);
    for (int& cell : cells_) cell = value;
  }

 private:
  std::mutex mutex_;
  int cells_[4] = {};
};

void copy(Matrix& from, int* to) {
  for (int i = 0; i < 4; ++i) {
    to[i] = from.at(i);
    let_other_in();
  }
}

int main() {
  Matrix matrix;
  int cells[4];
  std::thread other([&] {
    await_step(1);
    matrix.fill(1);
    next_step();
  });
  copy(matrix, cells);
  other.join();
  return cells[0] == cells[3];
}
