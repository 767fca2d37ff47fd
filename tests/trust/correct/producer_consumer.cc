// A producer that closes the queue at the end; consumers drain it with try_pop and wait in between.
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <thread>

class Channel {
 public:
  void push(int value) {
    std::lock_guard lock(mutex_);
    items_.push_back(value);
    changed_.notify_one();
  }
  void close() {
    std::lock_guard lock(mutex_);
    closed_ = true;
    changed_.notify_all();
  }
  std::optional<int> pop() {
    std::unique_lock lock(mutex_);
    while (items_.empty() && !closed_) changed_.wait(lock);
    if (items_.empty()) return std::nullopt;
    const int value = items_.front();
    items_.pop_front();
    return value;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<int> items_;
  bool closed_ = false;
};

int drain(Channel& channel) {
  int sum = 0;
  while (auto value = channel.pop()) sum += *value;
  return sum;
}

int main() {
  Channel channel;
  int sums[2];
  std::thread a([&] { sums[0] = drain(channel); }), b([&] { sums[1] = drain(channel); });
  for (int i = 0; i < 200; ++i) channel.push(i);
  channel.close();
  a.join();
  b.join();
  return sums[0] + sums[1] != 19900;
}
