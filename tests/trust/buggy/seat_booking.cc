// A seat is found free and booked by two.
// finds: velodrome doublechecker marathon atomizer
// blames: book
#include <mutex>
#include <thread>

#include "steps.h"

class Plane {
 public:
  bool is_free(int seat) {
    std::lock_guard lock(mutex_);
    return passengers_[seat] == 0;
  }
  void seat(int seat, int passenger) {
    std::lock_guard lock(mutex_);
    passengers_[seat] = passenger;
    ++tickets_;
  }
  int tickets() {
    std::lock_guard lock(mutex_);
    return tickets_;
  }

 private:
  std::mutex mutex_;
  int passengers_[4] = {};
  int tickets_ = 0;
};

void book(Plane& plane, int passenger) {
  if (!plane.is_free(0)) return;
  let_other_in();
  plane.seat(0, passenger);
}

int main() {
  Plane plane;
  std::thread other([&] {
    await_step(1);
    book(plane, 1);
    next_step();
  });
  book(plane, 2);
  other.join();
  return plane.tickets() == 1;
}
