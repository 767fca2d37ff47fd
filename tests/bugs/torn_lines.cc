// Lines that only the output shows to be torn: name and value of a line are printed one after the
// other, and another thread's come between them. The order of whole lines is free.
#include <mutex>
#include <thread>

#include "bug.h"

class Printer {
 public:
  void print(const char* name, int value) {
    std::unique_lock<std::recursive_mutex> whole(mutex_, std::defer_lock);
    if (bug::kFixed) whole.lock();
    begin(name);
    end(value);
  }

 private:
  void begin(const char* name) {
    std::lock_guard guard(mutex_);
    std::printf("%s", name);
    ++pieces_;
  }
  void end(int value) {
    std::lock_guard guard(mutex_);
    std::printf("=%d\n", value);
    ++pieces_;
  }

  std::recursive_mutex mutex_;
  int pieces_ = 0;
};

int main() {
  Printer printer;
  bug::Thread first([&] { printer.print("width", 3); });
  bug::Thread second([&] { printer.print("height", 4); });
  first.join();
  second.join();
}
