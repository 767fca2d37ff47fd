// A worker that runs until an atomic flag says stop, and reports its progress.
#include <atomic>
#include <thread>

class Worker {
 public:
  void run() {
    while (!stop_.load(std::memory_order_relaxed)) {
      rounds_.fetch_add(1, std::memory_order_relaxed);
      std::this_thread::yield();
    }
  }
  void stop() { stop_.store(true, std::memory_order_relaxed); }
  int rounds() const { return rounds_.load(std::memory_order_relaxed); }

 private:
  std::atomic<bool> stop_{false};
  std::atomic<int> rounds_{0};
};

int main() {
  Worker worker;
  std::thread thread(&Worker::run, &worker);
  while (worker.rounds() < 20) std::this_thread::yield();
  worker.stop();
  thread.join();
  return worker.rounds() < 20;
}
