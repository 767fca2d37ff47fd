// A log whose text and index have a lock each: a reader between the two updates sees an index that
// does not belong to the text.
#include <mutex>
#include <thread>

#include "bug.h"

class Log {
 public:
  void append(int record) {
    std::unique_lock<std::mutex> whole(both_, std::defer_lock);
    if (bug::kFixed) whole.lock();
    {
      std::lock_guard guard(index_mutex_);
      index_ = index_ + 1;
    }
    std::lock_guard guard(text_mutex_);
    text_[length_++] = record;
  }
  int last() {
    std::unique_lock<std::mutex> whole(both_, std::defer_lock);
    if (bug::kFixed) whole.lock();
    int at = 0;
    {
      std::lock_guard guard(index_mutex_);
      at = index_;
    }
    std::lock_guard guard(text_mutex_);
    bug::require(at <= length_, "the index points into the text");
    return at == 0 ? 0 : text_[at - 1];
  }

 private:
  std::mutex both_;
  std::mutex index_mutex_;
  std::mutex text_mutex_;
  int index_ = 0;
  int text_[4] = {};
  int length_ = 0;
};

int main() {
  Log log;
  bug::Thread writer([&] { log.append(42); });
  bug::Thread reader([&] { log.last(); });
  writer.join();
  reader.join();
}
