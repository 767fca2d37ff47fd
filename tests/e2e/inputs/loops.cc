// Two threads that update a counter in a loop, in two steps.
#include <mutex>
#include <thread>

static std::mutex guard;
static int counter, often;

static void count() {
  for (int i = 0; i < often; ++i) {
    guard.lock();
    const int before = counter;
    guard.unlock();
    guard.lock();
    counter = before + 1;
    guard.unlock();
  }
}

int main(int arguments, char**) {
  often = 3 * arguments;  // known at run time: unrolled iterations are none
  std::thread one(count), two(count);
  one.join();
  two.join();
}
