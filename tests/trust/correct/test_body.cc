// A body as of a unit test: starts threads, joins them, and looks at the object in between.
#include <mutex>
#include <stdexcept>
#include <thread>
#include <vector>

class Set {
 public:
  bool insert(int key) {
    std::lock_guard lock(mutex_);
    for (int k : keys_) {
      if (k == key) return false;
    }
    keys_.push_back(key);
    return true;
  }
  std::size_t size() {
    std::lock_guard lock(mutex_);
    return keys_.size();
  }

 private:
  std::mutex mutex_;
  std::vector<int> keys_;
};

void expect(bool holds) {
  if (!holds) throw std::logic_error("failed");
}

void fill(Set& set, int from) {
  for (int i = from; i < from + 20; ++i) set.insert(i);
}

void test_two_threads() {
  Set set;
  std::thread a(fill, std::ref(set), 0), b(fill, std::ref(set), 10);
  expect(set.size() <= 30);
  fill(set, 20);
  expect(set.size() >= 20);
  a.join();
  b.join();
  expect(set.size() == 40);
}

int main() {
  test_two_threads();
  return 0;
}
