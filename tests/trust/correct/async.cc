// A recursive sum by std::async.
#include <future>
#include <numeric>
#include <vector>

int sum(const std::vector<int>& values, std::size_t from, std::size_t to) {
  if (to - from <= 25) return std::accumulate(values.begin() + from, values.begin() + to, 0);
  const std::size_t middle = from + (to - from) / 2;
  auto left = std::async(std::launch::async, sum, std::cref(values), from, middle);
  const int right = sum(values, middle, to);
  return left.get() + right;
}

int main() {
  std::vector<int> values(100);
  std::iota(values.begin(), values.end(), 0);
  for (int i = 0; i < 5; ++i) {
    if (sum(values, 0, values.size()) != 4950) return 1;
  }
  return 0;
}
