// A logger that many classes share: each line is one critical section, callers hold their own lock.
#include <mutex>
#include <string>
#include <thread>

class Logger {
 public:
  void line(const std::string& text) {
    std::lock_guard lock(mutex_);
    text_ += text;
    ++lines_;
  }
  int lines() {
    std::lock_guard lock(mutex_);
    return lines_;
  }

 private:
  std::mutex mutex_;
  std::string text_;
  int lines_ = 0;
};
Logger logger;

class Device {
 public:
  void set(int level) {
    std::lock_guard lock(mutex_);
    level_ = level;
    logger.line("set");
  }
  int level() {
    std::lock_guard lock(mutex_);
    return level_;
  }

 private:
  std::mutex mutex_;
  int level_ = 0;
};

int main() {
  Device devices[2];
  auto work = [&devices](int first) {
    for (int i = 0; i < 100; ++i) devices[(first + i) % 2].set(i);
  };
  std::thread a(work, 0), b(work, 1);
  a.join();
  b.join();
  return logger.lines() != 200 || devices[0].level() < 98;
}
