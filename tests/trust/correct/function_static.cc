// A function's static object, made by whoever comes first.
#include <mutex>
#include <string>
#include <thread>

class Registry {
 public:
  static Registry& instance() {
    static Registry registry;
    return registry;
  }
  void add() {
    std::lock_guard lock(mutex_);
    ++count_;
    name_ += 'x';
  }
  bool whole() {
    std::lock_guard lock(mutex_);
    return name_.size() == 4 + static_cast<std::size_t>(count_);
  }

 private:
  Registry() : name_("main") {}
  std::mutex mutex_;
  std::string name_;
  int count_ = 0;
};

int main() {
  auto use = [] {
    for (int i = 0; i < 100; ++i) Registry::instance().add();
  };
  std::thread a(use), b(use);
  a.join();
  b.join();
  return !Registry::instance().whole();
}
