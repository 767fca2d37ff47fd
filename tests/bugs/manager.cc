// Manager (ConTest): the manager of a memory pool marks a block as freed before it counts it; a
// request in between finds a block that the count does not know.
#include <mutex>
#include <thread>

#include "bug.h"

class Manager {
 public:
  void release(int block) {
    std::unique_lock<std::recursive_mutex> whole(mutex_, std::defer_lock);
    if (bug::kFixed) whole.lock();
    mark_free(block);
    count_free();
  }
  bool request() {
    std::lock_guard guard(mutex_);
    int marked = 0;
    for (bool free : free_) marked += free;
    bug::require(marked == free_count_, "the count agrees with the marks");
    return marked > 0;
  }

 private:
  void mark_free(int block) {
    std::lock_guard guard(mutex_);
    free_[block] = true;
  }
  void count_free() {
    std::lock_guard guard(mutex_);
    ++free_count_;
  }

  std::recursive_mutex mutex_;
  bool free_[2] = {};
  int free_count_ = 0;
};

int main() {
  Manager manager;
  bug::Thread releasing([&] { manager.release(bug::round()); });
  bug::Thread requesting([&] { manager.request(); });
  releasing.join();
  requesting.join();
}
