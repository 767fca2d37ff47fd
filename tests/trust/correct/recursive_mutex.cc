// std::recursive_mutex: public members call each other with the lock held.
#include <mutex>
#include <thread>

class Box {
 public:
  void add(int n) {
    std::lock_guard lock(mutex_);
    total_ += n;
  }
  void move(int n) {
    std::lock_guard lock(mutex_);
    add(-n);
    add(n);
  }
  int total() {
    std::lock_guard lock(mutex_);
    return total_;
  }

 private:
  std::recursive_mutex mutex_;
  int total_ = 0;
};

int main() {
  Box box;
  auto work = [&box] {
    for (int i = 0; i < 200; ++i) box.move(1);
  };
  std::thread a(work), b(work);
  int wrong = 0;
  for (int i = 0; i < 100; ++i) wrong |= box.total();
  a.join();
  b.join();
  return wrong;
}
