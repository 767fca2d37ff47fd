// As many threads as the first argument says, all at one time, that count in one place: in two steps, or with a second argument in one.
#include <cstdlib>
#include <latch>
#include <mutex>
#include <thread>
#include <vector>

static std::mutex guard;
static int count;

static int get() {
  std::lock_guard lock(guard);
  return count;
}
static void set(int value) {
  std::lock_guard lock(guard);
  count = value;
}
static void add_at_once() {
  std::lock_guard lock(guard);
  ++count;
}

int main(int arguments, char** argument) {
  const int n = std::atoi(argument[1]);
  std::latch all(n);
  std::vector<std::thread> threads;
  for (int i = 0; i < n; ++i) {
    threads.emplace_back([&, at_once = arguments > 2] {
      all.arrive_and_wait();
      at_once ? add_at_once() : set(get() + 1);
    });
  }
  for (std::thread& thread : threads) thread.join();
  return count == n ? 0 : 3;
}
