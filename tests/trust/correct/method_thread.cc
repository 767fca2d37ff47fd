// An object whose member function is the thread: std::thread(&Class::run, this).
#include <mutex>
#include <thread>
#include <vector>

class Crawler {
 public:
  explicit Crawler(int pages) : left_(pages) {}
  void start(int n) {
    for (int i = 0; i < n; ++i) threads_.emplace_back(&Crawler::run, this);
  }
  int finish() {
    for (std::thread& thread : threads_) thread.join();
    return visited_;
  }

 private:
  void run() {
    while (take()) visit();
  }
  bool take() {
    std::lock_guard lock(mutex_);
    if (left_ == 0) return false;
    --left_;
    return true;
  }
  void visit() {
    std::lock_guard lock(mutex_);
    ++visited_;
  }
  std::mutex mutex_;
  int left_, visited_ = 0;
  std::vector<std::thread> threads_;
};

int main() {
  Crawler crawler(200);
  crawler.start(3);
  return crawler.finish() != 200;
}
