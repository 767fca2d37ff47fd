// contains() under the shared lock, insert() under the exclusive one: a key is inserted twice.
// finds: velodrome doublechecker marathon atomizer
// blames: Keys::add
#include <mutex>
#include <shared_mutex>
#include <thread>
#include <vector>

#include "steps.h"

class Keys {
 public:
  bool contains(int key) const {
    std::shared_lock lock(mutex_);
    for (int k : keys_) {
      if (k == key) return true;
    }
    return false;
  }
  void insert(int key) {
    std::unique_lock lock(mutex_);
    keys_.push_back(key);
  }
  void add(int key) {
    if (contains(key)) return;
    let_other_in();
    insert(key);
  }
  std::size_t size() const {
    std::shared_lock lock(mutex_);
    return keys_.size();
  }

 private:
  mutable std::shared_mutex mutex_;
  std::vector<int> keys_;
};

int main() {
  Keys keys;
  std::thread other([&] {
    await_step(1);
    keys.add(1);
    next_step();
  });
  keys.add(1);
  other.join();
  return keys.size() == 1;
}
