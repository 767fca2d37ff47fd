// A new version is built aside and published by an atomic pointer; old ones are kept.
#include <atomic>
#include <memory>
#include <thread>
#include <vector>

struct Version {
  int number, check;
};

class Store {
 public:
  Store() { publish(0); }
  void publish(int number) {
    versions_.push_back(std::make_unique<Version>(Version{number, -number}));
    current_.store(versions_.back().get(), std::memory_order_release);
  }
  int check() const {
    const Version* now = current_.load(std::memory_order_acquire);
    return now->number + now->check;
  }

 private:
  std::vector<std::unique_ptr<Version>> versions_;  // of the one publisher
  std::atomic<const Version*> current_{nullptr};
};

int main() {
  Store store;
  int wrong[2] = {};
  auto look = [&store](int* result) {
    for (int i = 0; i < 100; ++i) *result |= store.check();
  };
  std::thread a(look, &wrong[0]), b(look, &wrong[1]);
  for (int i = 1; i < 50; ++i) store.publish(i);
  a.join();
  b.join();
  return wrong[0] | wrong[1];
}
