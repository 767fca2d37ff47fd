// Double-checked locking with a plain pointer: the first look races with the publication.
// finds: fasttrack
// blames: Lazy::get
#include <mutex>
#include <thread>

#include "steps.h"

struct Value {
  int number = 7;
};

class Lazy {
 public:
  Value* get() {
    if (value_ == nullptr) {
      std::lock_guard lock(mutex_);
      if (value_ == nullptr) value_ = new Value;
    }
    return value_;
  }

 private:
  std::mutex mutex_;
  Value* value_ = nullptr;
};

int main() {
  Lazy lazy;
  int seen = 0;
  std::thread other([&] {
    await_step(1);
    seen = lazy.get()->number;
    next_step();
  });
  const int mine = lazy.get()->number;
  next_step();
  other.join();
  return mine != seen;
}
