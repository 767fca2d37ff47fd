// Fork and join of ten thousand small tasks, each in a thread of its own (std::async): a task sorts a few numbers, the one
// who started it sorts as many meanwhile and merges both.
#include <algorithm>
#include <future>

#include "../common.h"

class Sorter {
 public:
  Sorter(std::uint64_t seed, std::size_t size) : numbers_(size) {
    Random random(seed);
    for (std::uint32_t& number : numbers_) number = random.next();
  }
  void sort() {
    const auto middle = numbers_.begin() + static_cast<std::ptrdiff_t>(numbers_.size() / 2);
    auto first_half = std::async(std::launch::async, [&] { std::sort(numbers_.begin(), middle); });
    std::sort(middle, numbers_.end());
    first_half.get();
    std::vector<std::uint32_t> merged(numbers_.size());
    std::merge(numbers_.begin(), middle, middle, numbers_.end(), merged.begin());
    numbers_.swap(merged);
  }
  bool sorted() const { return std::is_sorted(numbers_.begin(), numbers_.end()); }
  std::uint32_t median() const { return numbers_[numbers_.size() / 2]; }

 private:
  std::vector<std::uint32_t> numbers_;
};

int main(int argc, char** argv) {
  const Arguments arguments(argc, argv);
  const int tasks = 1000 * arguments.scale;
  std::vector<std::uint64_t> sums(static_cast<std::size_t>(arguments.threads) * 16);
  std::vector<int> unsorted(static_cast<std::size_t>(arguments.threads) * 16);
  in_parallel(arguments.threads, [&](int me) {
    const Share share(tasks, me, arguments.threads);
    for (int i = share.begin; i < share.end; ++i) {
      Sorter sorter(static_cast<std::uint64_t>(i), 200);
      sorter.sort();
      sums[static_cast<std::size_t>(me) * 16] += sorter.median() % 1000;
      unsorted[static_cast<std::size_t>(me) * 16] += !sorter.sorted();
    }
  });
  std::uint64_t total = 0;
  int wrong = 0;
  for (const std::uint64_t sum : sums) total += sum;
  for (const int count : unsorted) wrong += count;
  return finish(wrong == 0, "forkjoin", static_cast<double>(total));
}
