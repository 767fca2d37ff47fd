// A helper par(n, f) that runs f in n threads; the lambda has several critical sections.
#include <mutex>
#include <thread>
#include <vector>

template <typename F>
void par(int n, F f) {
  std::vector<std::thread> threads;
  for (int i = 0; i < n; ++i) threads.emplace_back([&f, i] { f(i); });
  for (std::thread& thread : threads) thread.join();
}

class Log {
 public:
  void add(int entry) {
    std::lock_guard lock(mutex_);
    entries_.push_back(entry);
  }
  std::size_t size() {
    std::lock_guard lock(mutex_);
    return entries_.size();
  }

 private:
  std::mutex mutex_;
  std::vector<int> entries_;
};

int main() {
  Log log;
  par(3, [&log](int i) {
    log.add(i);
    if (log.size() < 1000) log.add(-i);
  });
  return log.size() != 6;
}
