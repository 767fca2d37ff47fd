// StringBuffer.append(StringBuffer) (Atomizer, section 1; Penelope, Marathon): the length of the
// other buffer is stale when its characters are copied.
#include <cstring>
#include <mutex>
#include <thread>

#include "bug.h"

class StringBuffer {
 public:
  explicit StringBuffer(const char* text) : length_(static_cast<int>(std::strlen(text))) {
    std::memcpy(text_, text, static_cast<std::size_t>(length_));
  }
  int length() {
    std::lock_guard guard(mutex_);
    return length_;
  }
  void get_chars(int from, int to, char* target) {
    std::lock_guard guard(mutex_);
    bug::require(to <= length_, "getChars stays inside the buffer");
    std::memcpy(target, text_ + from, static_cast<std::size_t>(to - from));
  }
  void erase() {
    std::lock_guard guard(mutex_);
    length_ = 0;
  }
  void append(StringBuffer& other) {
    std::lock_guard guard(mutex_);
    std::unique_lock<std::recursive_mutex> others(other.mutex_, std::defer_lock);
    if (bug::kFixed) others.lock();
    const int length = other.length();
    other.get_chars(0, length, text_ + length_);
    length_ += length;
  }

 private:
  std::recursive_mutex mutex_;
  char text_[32] = {};
  int length_ = 0;
};

int main() {
  StringBuffer target("abc");
  StringBuffer source("def");
  bug::Thread appender([&] { target.append(source); });
  bug::Thread eraser([&] { source.erase(); });
  appender.join();
  eraser.join();
}
