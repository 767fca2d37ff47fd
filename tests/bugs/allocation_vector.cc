// Allocation vector (ConTest): finding a free block and marking it are two synchronized steps.
#include <mutex>
#include <thread>

#include "bug.h"

class AllocationVector {
 public:
  int allocate() {
    std::unique_lock<std::recursive_mutex> whole(mutex_, std::defer_lock);
    if (bug::kFixed) whole.lock();
    const int block = find_free();
    if (block >= 0) mark(block);
    return block;
  }
  void release(int block) {
    std::lock_guard guard(mutex_);
    used_[block] = false;
  }

 private:
  int find_free() {
    std::lock_guard guard(mutex_);
    for (int block = 0; block < 4; ++block)
      if (!used_[block]) return block;
    return -1;
  }
  void mark(int block) {
    std::lock_guard guard(mutex_);
    bug::require(!used_[block], "a block is allocated once");
    used_[block] = true;
  }

  std::recursive_mutex mutex_;
  bool used_[4] = {};
};

int main() {
  AllocationVector blocks;
  bug::Thread first([&] { blocks.allocate(); });
  bug::Thread second([&] { blocks.allocate(); });
  first.join();
  second.join();
}
