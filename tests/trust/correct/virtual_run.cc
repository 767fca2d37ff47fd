// A Thread class with a virtual run(), started behind a static function.
#include <pthread.h>

#include <mutex>

class Thread {
 public:
  virtual ~Thread() = default;
  void start() { pthread_create(&handle_, nullptr, &Thread::entry, this); }
  void join() { pthread_join(handle_, nullptr); }

 protected:
  virtual void run() = 0;

 private:
  static void* entry(void* self) {
    static_cast<Thread*>(self)->run();
    return nullptr;
  }
  pthread_t handle_;
};

class Total {
 public:
  void add(int n) {
    std::lock_guard lock(mutex_);
    value_ += n;
    ++calls_;
  }
  int mean() {
    std::lock_guard lock(mutex_);
    return value_ / calls_;
  }

 private:
  std::mutex mutex_;
  int value_ = 0, calls_ = 0;
};

class Adder : public Thread {
 public:
  explicit Adder(Total& total) : total_(total) {}

 protected:
  void run() override {
    for (int i = 0; i < 100; ++i) total_.add(4);
  }

 private:
  Total& total_;
};

int main() {
  Total total;
  Adder a(total), b(total);
  a.start();
  b.start();
  a.join();
  b.join();
  return total.mean() != 4;
}
