// Fork-join sort: halves sorted by new threads down to a depth, then merged (the papers' recursive sort).
#include <algorithm>

#include "common.h"

class Sorter {
 public:
  explicit Sorter(int n) : data_(n), scratch_(n) {
    Random random(13);
    for (int& v : data_) v = static_cast<int>(random.next());
  }
  void sort(int begin, int end, int depth) {
    if (end - begin < 32) return insertion(begin, end);
    const int middle = begin + (end - begin) / 2;
    if (depth > 0) {
      std::thread left([=, this] { sort(begin, middle, depth - 1); });
      sort(middle, end, depth - 1);
      left.join();
    } else {
      sort(begin, middle, 0);
      sort(middle, end, 0);
    }
    merge(begin, middle, end);
  }
  bool sorted() const { return std::is_sorted(data_.begin(), data_.end()); }
  int size() const { return static_cast<int>(data_.size()); }
  int median() const { return data_[data_.size() / 2]; }

 private:
  void insertion(int begin, int end) {
    for (int i = begin + 1; i < end; ++i)
      for (int j = i; j > begin && data_[j - 1] > data_[j]; --j) std::swap(data_[j - 1], data_[j]);
  }
  void merge(int begin, int middle, int end) {
    int a = begin, b = middle;
    for (int i = begin; i < end; ++i) scratch_[i] = b == end || (a < middle && data_[a] <= data_[b]) ? data_[a++] : data_[b++];
    for (int i = begin; i < end; ++i) data_[i] = scratch_[i];
  }
  std::vector<int> data_, scratch_;
};

int main(int argc, char** argv) {
  const Arguments arguments(argc, argv);
  Sorter sorter(1000000 * arguments.scale);
  int depth = 0;
  while (1 << depth < arguments.threads) ++depth;
  sorter.sort(0, sorter.size(), depth);
  return finish(sorter.sorted(), "quicksort", sorter.median());
}
