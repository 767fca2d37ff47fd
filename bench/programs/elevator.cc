// A lift simulation: people call, lifts claim calls and carry them, all through one controls object with a lock per floor.
#include <mutex>

#include "common.h"

class Floor {
 public:
  void call(int destination) {
    const std::lock_guard lock(mutex_);
    waiting_.push_back(destination);
  }
  bool claim(int& destination) {
    const std::lock_guard lock(mutex_);
    if (waiting_.empty()) return false;
    destination = waiting_.back();
    waiting_.pop_back();
    return true;
  }

 private:
  std::mutex mutex_;
  std::vector<int> waiting_;
};

class Controls {
 public:
  explicit Controls(int floors) : floors_(floors) {}
  void call(int from, int to) { floors_[from].call(to); }
  bool claim(int floor, int& destination) { return floors_[floor].claim(destination); }
  void deliver() {
    const std::lock_guard lock(mutex_);
    ++delivered_;
  }
  long delivered() {
    const std::lock_guard lock(mutex_);
    return delivered_;
  }
  int floors() const { return static_cast<int>(floors_.size()); }

 private:
  std::vector<Floor> floors_;
  std::mutex mutex_;
  long delivered_ = 0;
};

class Lift {
 public:
  explicit Lift(Controls& controls) : controls_(controls) {}
  void sweep() {
    for (floor_ = 0; floor_ < controls_.floors(); ++floor_) open_doors();
    for (floor_ = controls_.floors() - 1; floor_ >= 0; --floor_) open_doors();
  }

 private:
  void open_doors() {
    for (std::size_t i = 0; i < aboard_.size();) {
      if (aboard_[i] != floor_) {
        ++i;
        continue;
      }
      aboard_[i] = aboard_.back();
      aboard_.pop_back();
      controls_.deliver();
    }
    int destination;
    while (aboard_.size() < 8 && controls_.claim(floor_, destination)) aboard_.push_back(destination);
  }
  Controls& controls_;
  int floor_ = 0;
  std::vector<int> aboard_;
};

int main(int argc, char** argv) {
  const Arguments arguments(argc, argv);
  const long people = 60000L * arguments.scale;
  Controls controls(20);
  Random random(3);
  for (long i = 0; i < people; ++i) controls.call(static_cast<int>(random.next() % 20), static_cast<int>(random.next() % 20));
  in_parallel(arguments.threads, [&](int) {
    Lift lift(controls);
    while (controls.delivered() < people) lift.sweep();
  });
  return finish(controls.delivered() == people, "elevator", static_cast<double>(controls.delivered()));
}
