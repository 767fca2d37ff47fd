// Leaves a process behind that waits for ever. With one argument it leaves none, and fails if the
// main thread is the first: it never is where both threads run, since it computes before. With two
// it leaves one and ends isosan.
#include <signal.h>
#include <unistd.h>

#include <mutex>
#include <thread>

std::mutex mutex;
int order;

int main(int argc, char**) {
  if (argc != 2 && fork() == 0) {
    for (;;) pause();
  }
  if (argc == 3) kill(getppid(), SIGTERM);
  std::thread other([] {
    const std::lock_guard guard(mutex);
    if (order == 0) order = 2;
  });
  if (argc == 2) {
    for (long i = 0; i < 100'000'000; ++i) asm volatile("");
  }
  {
    const std::lock_guard guard(mutex);
    if (order == 0) order = 1;
  }
  other.join();
  return argc == 2 && order == 1 ? 3 : 0;
}
