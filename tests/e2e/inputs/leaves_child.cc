// Leaves a process behind that waits for ever. With an argument the first run of the main thread
// fails: it comes last.
#include <unistd.h>

#include <mutex>
#include <thread>

std::mutex mutex;
int order;

int main(int argc, char**) {
  if (argc == 1 && fork() == 0) {
    for (;;) pause();
  }
  std::thread other([] {
    const std::lock_guard guard(mutex);
    if (order == 0) order = 2;
  });
  if (argc > 1) {
    for (long i = 0; i < 100'000'000; ++i) asm volatile("");
  }
  {
    const std::lock_guard guard(mutex);
    if (order == 0) order = 1;
  }
  other.join();
  return argc > 1 && order == 1 ? 3 : 0;
}
