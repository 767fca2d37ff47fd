// A worker loop that gives the lock up while it computes and takes it again for the result.
#include <mutex>
#include <thread>
#include <vector>

class Board {
 public:
  explicit Board(int n) : left_(n) {}
  void work() {
    std::unique_lock lock(mutex_);
    while (left_ > 0) {
      const int task = left_--;
      lock.unlock();
      const int result = compute(task);
      lock.lock();
      sum_ += result;
    }
  }
  int sum() {
    std::lock_guard lock(mutex_);
    return sum_;
  }

 private:
  static int compute(int task) { return task * 2; }
  std::mutex mutex_;
  int left_, sum_ = 0;
};

int main() {
  Board board(100);
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i) threads.emplace_back([&board] { board.work(); });
  for (std::thread& thread : threads) thread.join();
  return board.sum() != 10100;
}
