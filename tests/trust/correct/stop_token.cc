// std::jthread that waits for work or for its stop token.
#include <condition_variable>
#include <deque>
#include <mutex>
#include <stop_token>
#include <thread>

class Worker {
 public:
  Worker() : thread_([this](std::stop_token stop) { run(stop); }) {}
  void post(int value) {
    {
      std::lock_guard lock(mutex_);
      inbox_.push_back(value);
    }
    changed_.notify_one();
  }
  int finish() {
    thread_.request_stop();
    thread_.join();
    return sum_;
  }

 private:
  void run(std::stop_token stop) {
    std::unique_lock lock(mutex_);
    for (;;) {
      changed_.wait(lock, stop, [this] { return !inbox_.empty(); });
      if (inbox_.empty()) return;
      sum_ += inbox_.front();
      inbox_.pop_front();
    }
  }
  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::deque<int> inbox_;
  int sum_ = 0;
  std::jthread thread_;
};

int main() {
  Worker worker;
  for (int i = 0; i < 100; ++i) worker.post(i);
  return worker.finish() != 4950;
}
