// A thread pool: a bounded queue with condition variables, tasks that sum slices, results by future-like slots. That others
// get in while the queue waits is meant, and annotated: atomizer judges what is before a wait and what is after it.
#include <condition_variable>
#include <deque>
#include <mutex>

#include "../../include/isosan/isosan.h"
#include "common.h"

struct Task {
  const int* begin = nullptr;
  const int* end = nullptr;
  long* result = nullptr;
};

class Queue {
 public:
  ISOSAN_SPLIT_AT_WAIT void push(const Task& task) {
    std::unique_lock lock(mutex_);
    not_full_.wait(lock, [&] { return tasks_.size() < 64; });
    tasks_.push_back(task);
    not_empty_.notify_one();
  }
  ISOSAN_SPLIT_AT_WAIT bool pop(Task& task) {
    std::unique_lock lock(mutex_);
    not_empty_.wait(lock, [&] { return closed_ || !tasks_.empty(); });
    if (tasks_.empty()) return false;
    task = tasks_.front();
    tasks_.pop_front();
    not_full_.notify_one();
    return true;
  }
  void close() {
    const std::lock_guard lock(mutex_);
    closed_ = true;
    not_empty_.notify_all();
  }

 private:
  std::mutex mutex_;
  std::condition_variable not_empty_, not_full_;
  std::deque<Task> tasks_;
  bool closed_ = false;
};

void perform(const Task& task) {
  long sum = 0;
  for (const int* p = task.begin; p != task.end; ++p) sum += *p;
  *task.result = sum;
}

int main(int argc, char** argv) {
  const Arguments arguments(argc, argv);
  const int slices = 20000 * arguments.scale, slice = 200;
  std::vector<int> data(slice * 100, 1);
  std::vector<long> results(slices);
  Queue queue;
  std::vector<std::thread> workers;
  for (int i = 0; i < arguments.threads; ++i)
    workers.emplace_back([&] {
      Task task;
      while (queue.pop(task)) perform(task);
    });
  for (int i = 0; i < slices; ++i) {
    const int* begin = data.data() + (i % 100) * slice;
    queue.push({begin, begin + slice, &results[i]});
  }
  queue.close();
  for (std::thread& worker : workers) worker.join();
  long total = 0;
  for (const long r : results) total += r;
  return finish(total == long{slices} * slice, "pool", static_cast<double>(total));
}
