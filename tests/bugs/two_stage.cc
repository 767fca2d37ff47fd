// Two stages (Farchi, Nir, Ur: a catalogue of concurrent bug patterns, "two-stage access"): one
// variable is set under its lock, the one derived from it under another; a reader comes between.
#include <mutex>
#include <thread>

#include "bug.h"

class Derived {
 public:
  void set(int value) {
    std::unique_lock<std::recursive_mutex> whole(all_, std::defer_lock);
    if (bug::kFixed) whole.lock();
    {
      std::lock_guard guard(first_mutex_);
      first_ = value;
    }
    std::lock_guard guard(second_mutex_);
    second_ = value + 1;
  }
  void check() {
    std::unique_lock<std::recursive_mutex> whole(all_, std::defer_lock);
    if (bug::kFixed) whole.lock();
    int first = 0;
    {
      std::lock_guard guard(first_mutex_);
      if (first_ == 0) return;
      first = first_;
    }
    std::lock_guard guard(second_mutex_);
    bug::require(second_ == first + 1, "the second stage follows from the first");
  }

 private:
  std::recursive_mutex all_;
  std::mutex first_mutex_, second_mutex_;
  int first_ = 0;
  int second_ = 0;
};

int main() {
  Derived derived;
  bug::Thread setter([&] { derived.set(7); });
  bug::Thread checker([&] { derived.check(); });
  setter.join();
  checker.join();
}
