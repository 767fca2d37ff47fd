// A subject that calls its observers with the lock held; they take their own lock inside.
#include <mutex>
#include <thread>
#include <vector>

class Observer {
 public:
  void notify(int event) {
    std::lock_guard lock(mutex_);
    sum_ += event;
    ++events_;
  }
  int mean() {
    std::lock_guard lock(mutex_);
    return sum_ / events_;
  }

 private:
  std::mutex mutex_;
  int sum_ = 0, events_ = 0;
};

class Subject {
 public:
  void add(Observer* observer) {
    std::lock_guard lock(mutex_);
    observers_.push_back(observer);
  }
  void fire(int event) {
    std::lock_guard lock(mutex_);
    for (Observer* observer : observers_) observer->notify(event);
  }

 private:
  std::mutex mutex_;
  std::vector<Observer*> observers_;
};

int main() {
  Observer a, b;
  Subject subject;
  subject.add(&a);
  subject.add(&b);
  auto fire = [&subject] {
    for (int i = 0; i < 50; ++i) subject.fire(3);
  };
  std::thread first(fire), second(fire);
  first.join();
  second.join();
  return a.mean() != 3 || b.mean() != 3;
}
