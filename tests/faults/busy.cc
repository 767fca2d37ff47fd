// Three threads add to one box, a region each time, and then the program says that it has ended. With a seed it also writes over the log of its own
// process meanwhile: busy ROUNDS [SEED].
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <thread>

extern "C" void scribble_by_seed(unsigned seed);  // scribble_by_seed.cc, which is not instrumented

class Box {
 public:
  [[gnu::noinline]] long sum() {
    const std::lock_guard lock(mutex_);
    return sum_;
  }
  [[gnu::noinline]] void set(long sum) {
    const std::lock_guard lock(mutex_);
    sum_ = sum;
  }
  [[gnu::noinline]] void add(long n) { set(sum() + n); }

 private:
  std::mutex mutex_;
  long sum_ = 0;
};

int main(int count, char** arguments) {
  Box box;
  const int rounds = std::atoi(arguments[1]);
  const auto add_often = [&] {
    for (int i = 0; i < rounds; ++i) box.add(i);
  };
  std::thread second(add_often), third(add_often);
  if (count > 2) scribble_by_seed(static_cast<unsigned>(std::atoi(arguments[2])));
  add_often();
  second.join();
  third.join();
  std::puts("the program has ended");
}
