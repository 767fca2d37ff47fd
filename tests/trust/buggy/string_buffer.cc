// append(other) asks other's length, then copies that many; other shrinks in between.
// finds: velodrome doublechecker marathon atomizer
// blames: Text::append
#include <mutex>
#include <thread>

#include "steps.h"

class Text {
 public:
  int length() {
    std::lock_guard lock(mutex_);
    return length_;
  }
  int copy(int n, char* to) {
    std::lock_guard lock(mutex_);
    const int count = n < length_ ? n : length_;
    for (int i = 0; i < count; ++i) to[i] = text_[i];
    return count;
  }
  void clear() {
    std::lock_guard lock(mutex_);
    length_ = 0;
  }
  bool append(Text& other) {
    std::lock_guard lock(mutex_);
    const int n = other.length();
    let_other_in();
    const bool whole = other.copy(n, text_ + length_) == n;
    length_ += n;
    return whole;
  }

 private:
  std::mutex mutex_;
  char text_[32] = "abcd";
  int length_ = 4;
};

int main() {
  Text one, two;
  std::thread other([&] {
    await_step(1);
    two.clear();
    next_step();
  });
  const bool whole = one.append(two);
  other.join();
  return whole;
}
