// Two locks by hand: the second is tried, and on failure the first is given up and all begins anew.
#include <mutex>
#include <thread>

struct Side {
  std::mutex mutex;
  int value = 0;
};

void move_one(Side& from, Side& to) {
  for (;;) {
    std::unique_lock first(from.mutex);
    std::unique_lock second(to.mutex, std::try_to_lock);
    if (second) {
      --from.value;
      ++to.value;
      return;
    }
    first.unlock();
    std::this_thread::yield();
  }
}

int main() {
  Side left, right;
  std::thread other([&] {
    for (int i = 0; i < 100; ++i) move_one(left, right);
  });
  for (int i = 0; i < 100; ++i) move_one(right, left);
  other.join();
  return left.value != 0 || right.value != 0;
}
