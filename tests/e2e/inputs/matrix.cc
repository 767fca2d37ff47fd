// The 10 x 10 matrix of Penelope's introduction: two threads go over five rows each, and each cell becomes the sum of itself and its
// neighbours. Each cell has a lock, held for one access.
#include <mutex>
#include <thread>

constexpr int kSide = 10;
long cells[kSide][kSide];
std::mutex locks[kSide][kSide];

__attribute__((noinline)) long get(int row, int column) {
  const std::lock_guard lock(locks[row][column]);
  return cells[row][column];
}

__attribute__((noinline)) void set(int row, int column, long value) {
  const std::lock_guard lock(locks[row][column]);
  cells[row][column] = value;
}

void update(int row, int column) {
  long sum = 0;
  for (int r = row - 1; r <= row + 1; ++r) {
    for (int c = column - 1; c <= column + 1; ++c) {
      if (r >= 0 && r < kSide && c >= 0 && c < kSide) sum += get(r, c);
    }
  }
  set(row, column, sum);
}

void go_over(int first, int end) {
  for (int row = first; row < end; ++row) {
    for (int column = 0; column < kSide; ++column) update(row, column);
  }
}

int main() {
  std::thread upper(go_over, 0, kSide / 2), lower(go_over, kSide / 2, kSide);
  upper.join();
  lower.join();
}
