// An active object: calls become messages in its queue, its own thread performs them.
#include <condition_variable>
#include <functional>
#include <mutex>
#include <queue>
#include <thread>

class Printer {
 public:
  Printer() : thread_(&Printer::run, this) {}
  ~Printer() {
    post([this] { done_ = true; });
    thread_.join();
  }
  void print(int page) {
    post([this, page] { pages_ += page; });
  }
  void stop(int* pages) {
    post([this, pages] { *pages = pages_; });
  }

 private:
  void post(std::function<void()> message) {
    {
      std::lock_guard lock(mutex_);
      messages_.push(std::move(message));
    }
    changed_.notify_one();
  }
  void run() {
    while (!done_) next()();
  }
  std::function<void()> next() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return !messages_.empty(); });
    std::function<void()> message = std::move(messages_.front());
    messages_.pop();
    return message;
  }
  std::mutex mutex_;
  std::condition_variable changed_;
  std::queue<std::function<void()>> messages_;
  int pages_ = 0;
  bool done_ = false;
  std::thread thread_;
};

int main() {
  int pages = 0;
  {
    Printer printer;
    std::thread other([&] {
      for (int i = 0; i < 50; ++i) printer.print(1);
    });
    for (int i = 0; i < 50; ++i) printer.print(2);
    other.join();
    printer.stop(&pages);
  }
  return pages != 150;
}
