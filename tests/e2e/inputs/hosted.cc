#include <mutex>
#include <thread>

std::mutex mutex;
int counter;

void count() {
  const std::lock_guard guard(mutex);
  ++counter;
}

extern "C" int count_twice() {
  std::thread one(count), other(count);
  one.join();
  other.join();
  return counter;
}
