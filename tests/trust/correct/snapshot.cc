// Copy on write: readers take a shared_ptr under the lock and read the snapshot without it.
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

class Listeners {
 public:
  void add(int id) {
    std::lock_guard lock(mutex_);
    auto copy = std::make_shared<std::vector<int>>(*ids_);
    copy->push_back(id);
    ids_ = copy;
  }
  int sum() const {
    std::shared_ptr<const std::vector<int>> now;
    {
      std::lock_guard lock(mutex_);
      now = ids_;
    }
    int total = 0;
    for (int id : *now) total += id;
    return total;
  }

 private:
  mutable std::mutex mutex_;
  std::shared_ptr<const std::vector<int>> ids_ = std::make_shared<std::vector<int>>();
};

int main() {
  Listeners listeners;
  int last = 0;
  std::thread reader([&] {
    for (int i = 0; i < 100; ++i) last = listeners.sum();
  });
  for (int i = 0; i < 30; ++i) listeners.add(1);
  reader.join();
  return listeners.sum() != 30 || last > 30;
}
