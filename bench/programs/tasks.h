// A work queue with a pool of workers: which worker runs which task is the scheduler's choice (SingleTrack,
// Figure 2(b)). A task may have threads of its own.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>

#include "common.h"

class WorkQueue {
 public:
  explicit WorkQueue(int workers) {
    for (int i = 0; i < workers; ++i) workers_.emplace_back([this] { work(); });
  }
  void submit(std::function<void()> task) {
    const std::lock_guard lock(mutex_);
    tasks_.push_back(std::move(task));
    filled_.notify_one();
  }
  void finish() {  // runs what is left, then ends
    {
      const std::lock_guard lock(mutex_);
      closed_ = true;
      filled_.notify_all();
    }
    for (std::thread& worker : workers_) worker.join();
  }

 private:
  void work() {
    for (;;) {
      std::function<void()> task;
      {
        std::unique_lock lock(mutex_);
        filled_.wait(lock, [&] { return closed_ || !tasks_.empty(); });
        if (tasks_.empty()) return;
        task = std::move(tasks_.front());
        tasks_.pop_front();
      }
      task();
    }
  }

  std::mutex mutex_;
  std::condition_variable filled_;
  std::deque<std::function<void()>> tasks_;
  bool closed_ = false;
  std::vector<std::thread> workers_;
};
