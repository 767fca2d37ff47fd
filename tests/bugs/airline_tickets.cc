// Airline tickets (ConTest): the agents look whether a seat is left before they sell one.
#include <mutex>
#include <thread>
#include <vector>

#include "bug.h"

class Flight {
 public:
  explicit Flight(int seats) : seats_(seats) {}
  bool sell() {
    std::unique_lock<std::recursive_mutex> whole(mutex_, std::defer_lock);
    if (bug::kFixed) whole.lock();
    if (sold() >= seats_) return false;
    take_seat();
    return true;
  }
  int sold() {
    std::lock_guard guard(mutex_);
    return sold_;
  }

 private:
  void take_seat() {
    std::lock_guard guard(mutex_);
    ++sold_;
  }

  std::recursive_mutex mutex_;
  const int seats_;
  int sold_ = 0;
};

int main() {
  Flight flight(2 * bug::kRounds);
  std::vector<bug::Thread> agents;
  for (int i = 0; i < 3; ++i) agents.emplace_back([&] { flight.sell(); });
  for (bug::Thread& agent : agents) agent.join();
  bug::require(flight.sold() <= 2 * bug::kRounds, "no more tickets than seats");
}
