// Buffered writer (ConTest): the buffer and its fill count are two fields; a writer that flushes
// between the store and the count loses what was stored.
#include <mutex>
#include <thread>

#include "bug.h"

class BufferedWriter {
 public:
  void write(int value) {
    std::unique_lock<std::recursive_mutex> whole(mutex_, std::defer_lock);
    if (bug::kFixed) whole.lock();
    const int at = reserve(value);
    commit(at);
  }
  void flush() {
    std::lock_guard guard(mutex_);
    for (int i = 0; i < count_; ++i) written_ += buffer_[i];
    count_ = 0;
  }
  int written() {
    std::lock_guard guard(mutex_);
    return written_;
  }

 private:
  int reserve(int value) {
    std::lock_guard guard(mutex_);
    buffer_[count_] = value;
    return count_;
  }
  void commit(int at) {
    std::lock_guard guard(mutex_);
    count_ = at + 1;
  }

  std::recursive_mutex mutex_;
  int buffer_[8] = {};
  int count_ = 0;
  int written_ = 0;
};

int main() {
  BufferedWriter writer;
  bug::Thread first([&] { writer.write(1); });
  bug::Thread second([&] {
    writer.write(2);
    writer.flush();
  });
  first.join();
  second.join();
  writer.flush();
  bug::require(writer.written() == 3 * bug::kRounds, "what was written arrives once");
}
