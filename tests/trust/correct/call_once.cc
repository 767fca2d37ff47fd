// std::call_once around the initialisation of a member, from many threads.
#include <mutex>
#include <thread>
#include <vector>

class Table {
 public:
  int square(int i) {
    std::call_once(once_, [this] { fill(); });
    return squares_[i];
  }

 private:
  void fill() {
    for (int i = 0; i < 10; ++i) squares_.push_back(i * i);
  }
  std::once_flag once_;
  std::vector<int> squares_;
};

int main() {
  Table table;
  int sums[3] = {};
  std::vector<std::thread> threads;
  for (int& sum : sums) {
    threads.emplace_back([&table, &sum] {
      for (int i = 0; i < 100; ++i) sum += table.square(i % 10);
    });
  }
  for (std::thread& thread : threads) thread.join();
  return sums[0] != 2850 || sums[1] != 2850 || sums[2] != 2850;
}
