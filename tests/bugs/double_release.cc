// Double free: the last user frees the buffer, and who is the last is looked at after the count has
// gone down, under another hold of the lock. Two threads find zero.
#include <mutex>
#include <thread>

#include "bug.h"

class Buffer {
 public:
  Buffer() { renew(); }
  void renew() {
    std::lock_guard guard(mutex_);
    bytes_ = new char[64];
    users_ = 2;
  }
  void release() {
    std::unique_lock<std::recursive_mutex> whole(mutex_, std::defer_lock);
    if (bug::kFixed) whole.lock();
    drop();
    if (users() == 0) delete[] bytes_;
  }

 private:
  void drop() {
    std::lock_guard guard(mutex_);
    --users_;
  }
  int users() {
    std::lock_guard guard(mutex_);
    return users_;
  }

  std::recursive_mutex mutex_;
  char* bytes_ = nullptr;
  int users_ = 0;
};

int main() {
  Buffer buffer;
  bug::before_again([&] { buffer.renew(); });
  bug::Thread first([&] { buffer.release(); });
  bug::Thread second([&] { buffer.release(); });
  first.join();
  second.join();
}
