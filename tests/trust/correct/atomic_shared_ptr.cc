// std::atomic<std::shared_ptr>: a configuration that is replaced while others read it.
#include <atomic>
#include <memory>
#include <thread>

struct Config {
  int low, high;
};

class Settings {
 public:
  void set(int value) { current_.store(std::make_shared<const Config>(Config{value, -value})); }
  int check() const {
    const std::shared_ptr<const Config> now = current_.load();
    return now->low + now->high;
  }

 private:
  std::atomic<std::shared_ptr<const Config>> current_{std::make_shared<const Config>(Config{0, 0})};
};

int main() {
  Settings settings;
  int wrong = 0;
  std::thread reader([&] {
    for (int i = 0; i < 100; ++i) wrong |= settings.check();
  });
  for (int i = 0; i < 100; ++i) settings.set(i);
  reader.join();
  return wrong;
}
