// A pool of threads that is shut down: submit looks whether the pool is stopping, and queues the
// task in a second step. In between the pool was stopped, and its worker has gone: the task is
// never executed.
#include <condition_variable>
#include <mutex>
#include <thread>

#include "bug.h"

class Pool {
 public:
  bool submit() {
    std::unique_lock<std::recursive_mutex> whole(mutex_, std::defer_lock);
    if (bug::kFixed) whole.lock();
    if (is_stopping()) return false;
    std::lock_guard guard(mutex_);
    ++queued_;
    changed_.notify_one();
    return true;
  }
  void stop() {
    std::lock_guard guard(mutex_);
    stopping_ = true;
    changed_.notify_one();
  }
  FIXED_AND_SPLIT_AT_WAIT void work() {
    std::unique_lock lock(mutex_);
    for (;;) {
      while (queued_ == 0 && !stopping_) changed_.wait(lock);
      if (queued_ == 0) return;
      --queued_;
      ++executed_;
    }
  }
  int executed() const { return executed_; }

 private:
  bool is_stopping() {
    std::lock_guard guard(mutex_);
    return stopping_;
  }

  std::recursive_mutex mutex_;
  std::condition_variable_any changed_;
  int queued_ = 0;
  int executed_ = 0;
  bool stopping_ = false;
};

int main() {
  Pool pool;
  bool accepted = false;
  std::thread worker([&] { pool.work(); });
  std::thread client([&] { accepted = pool.submit(); });
  std::thread keeper([&] { pool.stop(); });
  client.join();
  keeper.join();
  worker.join();
  bug::require(pool.executed() == (accepted ? 1 : 0), "an accepted task is executed");
}
