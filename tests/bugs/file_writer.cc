// File writer (ConTest): seek and write are two calls on one shared file position.
#include <mutex>
#include <thread>

#include "bug.h"

class File {
 public:
  void write_at(int position, int value) {
    std::unique_lock<std::recursive_mutex> whole(mutex_, std::defer_lock);
    if (bug::kFixed) whole.lock();
    seek(position);
    write(value);
  }
  int at(int position) {
    std::lock_guard guard(mutex_);
    return blocks_[position];
  }

 private:
  void seek(int position) {
    std::lock_guard guard(mutex_);
    position_ = position;
  }
  void write(int value) {
    std::lock_guard guard(mutex_);
    blocks_[position_++] = value;
  }

  std::recursive_mutex mutex_;
  int position_ = 0;
  int blocks_[8] = {};
};

int main() {
  File file;
  bug::Thread first([&] { file.write_at(1, 10); });
  bug::Thread second([&] { file.write_at(4, 40); });
  first.join();
  second.join();
  bug::require(file.at(1) == 10 && file.at(4) == 40, "each block is where it belongs");
}
