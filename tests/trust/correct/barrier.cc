// std::barrier with a completion that swaps two buffers.
#include <barrier>
#include <thread>
#include <utility>
#include <vector>

class Grid {
 public:
  Grid() : now_{1, 0, 0}, next_{0, 0, 0}, sync_(3, Swap{this}) {}
  void run(int me) {
    for (int i = 0; i < 60; ++i) step(me);
  }
  int sum() const { return now_[0] + now_[1] + now_[2]; }

 private:
  void step(int me) {
    next_[me] = now_[(me + 1) % 3];
    sync_.arrive_and_wait();
  }
  struct Swap {
    void operator()() noexcept { std::swap(grid->now_, grid->next_); }
    Grid* grid;
  };
  std::vector<int> now_, next_;
  std::barrier<Swap> sync_;
};

int main() {
  Grid grid;
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i) threads.emplace_back(&Grid::run, &grid, i);
  for (std::thread& thread : threads) thread.join();
  return grid.sum() != 1;
}
