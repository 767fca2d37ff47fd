// A pipe of passengers (Piper): writers wait until there is a seat, readers until one is taken, under one lock and with the
// condition looked at again. There is no error. A unit of work that waits sees what others did meanwhile: unless a wait ends
// the unit, that is a cycle.
#include <condition_variable>
#include <cstdio>
#include <mutex>

#include "threads.h"

class Pipe {
 public:
  void fill_front(int passenger) { fill(passenger, 0); }
  void fill_back(int passenger) { fill(passenger, kSeats - 1); }
  int empty_front() { return empty(0); }
  int empty_back() { return empty(kSeats - 1); }

 private:
  static constexpr int kSeats = 2;

  void fill(int passenger, int from) {
    std::unique_lock lock(mutex_);
    ++waiting_;
    while (taken_ == kSeats) changed_.wait(lock);
    --waiting_;
    seats_[seats_[from] == 0 ? from : kSeats - 1 - from] = passenger;
    ++taken_;
    changed_.notify_all();
  }
  int empty(int from) {
    std::unique_lock lock(mutex_);
    ++waiting_;
    while (taken_ == 0) changed_.wait(lock);
    --waiting_;
    int& seat = seats_[seats_[from] != 0 ? from : kSeats - 1 - from];
    const int passenger = seat;
    seat = 0;
    --taken_;
    changed_.notify_all();
    return passenger;
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  int seats_[kSeats] = {};
  int taken_ = 0;
  int waiting_ = 0;
};

int main(int argc, char** argv) {
  const int count = units::threads_asked(argc, argv, 40) / 4 * 4;
  Pipe pipe;
  units::in_threads(count, [&](int i) {
    if (i % 4 == 0) pipe.fill_front(i + 1);
    if (i % 4 == 1) pipe.fill_back(i + 1);
    if (i % 4 == 2) pipe.empty_front();
    if (i % 4 == 3) pipe.empty_back();
  });
  std::puts("ok");
}
