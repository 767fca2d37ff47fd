// Waits for another thread by looking under a lock, without giving way.
#include <mutex>
#include <thread>

std::mutex mutex;
int steps, looks;

int main() {
  std::thread other([] {
    for (int i = 0; i < 3; ++i) {
      std::lock_guard guard(mutex);
      ++steps;
    }
  });
  for (;;) {
    std::lock_guard guard(mutex);
#ifdef FOUR_OPERATIONS
    looks = 1;
#endif
    if (steps == 3) break;
  }
  other.join();
}
