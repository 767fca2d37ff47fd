// std::packaged_task moved into a thread, results through a shared_future that two threads read.
#include <future>
#include <thread>

int heavy(int n) {
  int result = 0;
  for (int i = 0; i < n; ++i) result += i;
  return result;
}

bool check(std::shared_future<int> result) { return result.get() == 4950; }

int main() {
  for (int round = 0; round < 10; ++round) {
    std::packaged_task<int(int)> task(heavy);
    std::shared_future<int> result = task.get_future().share();
    bool good = false;
    std::thread worker(std::move(task), 100);
    std::thread reader([&good, result] { good = check(result); });
    const bool mine = check(result);
    worker.join();
    reader.join();
    if (!good || !mine) return 1;
  }
  return 0;
}
