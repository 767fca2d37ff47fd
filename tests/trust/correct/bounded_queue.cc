// A bounded queue class; producers and consumers call it in loops.
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>
#include <vector>

class Queue {
 public:
  void push(int value) {
    std::unique_lock lock(mutex_);
    not_full_.wait(lock, [this] { return items_.size() < 4; });
    items_.push_back(value);
    lock.unlock();
    not_empty_.notify_one();
  }
  int pop() {
    std::unique_lock lock(mutex_);
    not_empty_.wait(lock, [this] { return !items_.empty(); });
    const int value = items_.front();
    items_.pop_front();
    lock.unlock();
    not_full_.notify_one();
    return value;
  }

 private:
  std::mutex mutex_;
  std::condition_variable not_full_, not_empty_;
  std::deque<int> items_;
};

void produce(Queue& queue) {
  for (int i = 0; i < 100; ++i) queue.push(i);
}
void consume(Queue& queue, int& sum) {
  for (int i = 0; i < 100; ++i) sum += queue.pop();
}

int main() {
  Queue queue;
  int sums[2] = {};
  std::vector<std::thread> threads;
  for (int i = 0; i < 2; ++i) {
    threads.emplace_back(produce, std::ref(queue));
    threads.emplace_back(consume, std::ref(queue), std::ref(sums[i]));
  }
  for (std::thread& thread : threads) thread.join();
  return sums[0] + sums[1] != 9900;
}
