// An intrusive reference count behind a smart pointer class.
#include <atomic>
#include <thread>

class Shared {
 public:
  void retain() { references_.fetch_add(1, std::memory_order_relaxed); }
  void release() {
    if (references_.fetch_sub(1, std::memory_order_acq_rel) == 1) delete this;
  }
  int value() const { return value_; }

 private:
  std::atomic<int> references_{1};
  int value_ = 7;
};

class Pointer {
 public:
  explicit Pointer(Shared* object) : object_(object) {}
  Pointer(const Pointer& other) : object_(other.object_) { object_->retain(); }
  Pointer& operator=(const Pointer&) = delete;
  ~Pointer() { object_->release(); }
  const Shared* operator->() const { return object_; }

 private:
  Shared* object_;
};

int look(Pointer pointer) { return pointer->value(); }

int main() {
  int sums[2] = {};
  {
    Pointer pointer(new Shared);
    auto work = [pointer](int* sum) {
      for (int i = 0; i < 50; ++i) *sum += look(pointer);
    };
    std::thread a(work, &sums[0]), b(work, &sums[1]);
    a.join();
    b.join();
  }
  return sums[0] != 350 || sums[1] != 350;
}
