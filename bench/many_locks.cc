// Two threads that go over the same objects, each update under a lock: as many locks as the second argument says. For
// bench/atomizer-locks.
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <thread>
#include <vector>

struct Objects {
  std::vector<long> values;
  std::vector<std::mutex> locks;

  Objects(long objects, long of_locks) : values(objects), locks(of_locks) {}
  void add(std::size_t at) {
    const std::lock_guard lock(locks[at % locks.size()]);
    ++values[at];
  }
};

static void go_over(Objects& objects) {
  for (std::size_t i = 0; i < objects.values.size(); ++i) objects.add(i);
}

int main(int, char** arguments) {
  Objects objects(std::atol(arguments[1]), std::atol(arguments[2]));
  std::thread one(go_over, std::ref(objects)), two(go_over, std::ref(objects));
  one.join();
  two.join();
  bool right = true;
  for (const long value : objects.values) right = right && value == 2;
  std::puts(right ? "many_locks ok 0" : "many_locks wrong 0");
  return right ? 0 : 1;
}
