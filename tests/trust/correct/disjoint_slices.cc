// Two threads sort the halves of one array, main merges them.
#include <algorithm>
#include <thread>
#include <vector>

void sort_half(std::vector<int>& values, int from, int to) {
  std::sort(values.begin() + from, values.begin() + to);
}

void sort_all(std::vector<int>& values) {
  const int middle = static_cast<int>(values.size()) / 2;
  std::thread left(sort_half, std::ref(values), 0, middle);
  sort_half(values, middle, static_cast<int>(values.size()));
  left.join();
  std::inplace_merge(values.begin(), values.begin() + middle, values.end());
}

int main() {
  std::vector<int> values(99);
  for (int i = 0; i < 99; ++i) values[i] = (i * 37) % 99;
  sort_all(values);
  return !std::is_sorted(values.begin(), values.end());
}
