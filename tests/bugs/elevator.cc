// Elevator (Penelope's elevator): a car looks for a call and claims it in a second step. Another
// car may have been quicker, and claiming says so: a violation of atomicity that is no error. Both
// versions are correct.
#include <mutex>
#include <thread>
#include <vector>

#include "bug.h"

class Floors {
 public:
  bool called(int floor) {
    std::lock_guard guard(mutex_);
    return calls_[floor];
  }
  bool claim(int floor) {
    std::lock_guard guard(mutex_);
    const bool mine = calls_[floor];
    calls_[floor] = false;
    return mine;
  }
  int serve() {
    std::unique_lock<std::recursive_mutex> whole(mutex_, std::defer_lock);
    if (bug::kFixed) whole.lock();
    int served = 0;
    for (int floor = 0; floor < 3; ++floor)
      if (called(floor) && claim(floor)) ++served;
    return served;
  }

 private:
  std::recursive_mutex mutex_;
  bool calls_[3] = {true, true, true};
};

int main() {
  Floors floors;
  int served[2] = {};
  bug::Thread left([&] { served[0] += floors.serve(); });
  bug::Thread right([&] { served[1] += floors.serve(); });
  left.join();
  right.join();
  bug::require(served[0] + served[1] == 3, "every call is served once");
}
