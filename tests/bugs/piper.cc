// Piper (ConTest): a pipe of passengers; filling looks for a place and takes it in two steps, and
// two writers take the same place.
#include <mutex>
#include <thread>

#include "bug.h"

class Pipe {
 public:
  void fill(int passenger) {
    std::unique_lock<std::recursive_mutex> whole(mutex_, std::defer_lock);
    if (bug::kFixed) whole.lock();
    const int place = next_place();
    seat(place, passenger);
  }
  int passengers() {
    std::lock_guard guard(mutex_);
    int count = 0;
    for (int passenger : seats_) count += passenger != 0;
    return count;
  }

 private:
  int next_place() {
    std::lock_guard guard(mutex_);
    return filled_;
  }
  void seat(int place, int passenger) {
    std::lock_guard guard(mutex_);
    seats_[place] = passenger;
    filled_ = place + 1;
  }

  std::recursive_mutex mutex_;
  int seats_[4] = {};
  int filled_ = 0;
};

int main() {
  Pipe pipe;
  bug::Thread first([&] { pipe.fill(1); });
  bug::Thread second([&] { pipe.fill(2); });
  first.join();
  second.join();
  bug::require(pipe.passengers() == 2 * bug::kRounds, "both passengers have a seat");
}
