// Look up, create, insert, in two critical sections: the object is made twice.
// finds: velodrome doublechecker marathon atomizer
// blames: Factory::get
#include <map>
#include <mutex>
#include <thread>

#include "steps.h"

class Factory {
 public:
  int get(int key) {
    {
      std::lock_guard lock(mutex_);
      auto found = made_.find(key);
      if (found != made_.end()) return found->second;
    }
    let_other_in();
    std::lock_guard lock(mutex_);
    return made_[key] = ++count_;
  }

 private:
  std::mutex mutex_;
  std::map<int, int> made_;
  int count_ = 0;
};

int main() {
  Factory factory;
  int theirs = 0;
  std::thread other([&] {
    await_step(1);
    theirs = factory.get(1);
    next_step();
  });
  const int mine = factory.get(1);
  other.join();
  return mine == theirs;
}
