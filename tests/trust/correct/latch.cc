// std::latch: workers fill their slots and count down, main waits and reads them.
#include <latch>
#include <thread>
#include <vector>

class Results {
 public:
  explicit Results(int n) : slots_(n), done_(n) {}
  void deliver(int i, int value) {
    slots_[i] = value;
    done_.count_down();
  }
  int sum() {
    done_.wait();
    int total = 0;
    for (int value : slots_) total += value;
    return total;
  }

 private:
  std::vector<int> slots_;
  std::latch done_;
};

int main() {
  for (int round = 0; round < 10; ++round) {
    Results results(3);
    std::vector<std::jthread> threads;
    for (int i = 0; i < 3; ++i) threads.emplace_back([&results, i] { results.deliver(i, i + 1); });
    if (results.sum() != 6) return 1;
  }
  return 0;
}
