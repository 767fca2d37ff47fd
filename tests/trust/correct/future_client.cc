// A client hands work to a thread and waits for the future: it drives another thread.
#include <condition_variable>
#include <deque>
#include <future>
#include <mutex>
#include <thread>

class Worker {
 public:
  Worker() : thread_([this] { work(); }) {}
  ~Worker() {
    post(0);
    thread_.join();
  }
  std::future<int> post(int value) {
    std::promise<int> promise;
    std::future<int> result = promise.get_future();
    {
      std::lock_guard lock(mutex_);
      jobs_.push_back({value, std::move(promise)});
    }
    some_.notify_one();
    return result;
  }

 private:
  struct Job {
    int value;
    std::promise<int> promise;
  };
  void work() {
    for (;;) {
      std::unique_lock lock(mutex_);
      some_.wait(lock, [this] { return !jobs_.empty(); });
      Job job = std::move(jobs_.front());
      jobs_.pop_front();
      lock.unlock();
      job.promise.set_value(2 * job.value);
      if (job.value == 0) return;
    }
  }

  std::mutex mutex_;
  std::condition_variable some_;
  std::deque<Job> jobs_;
  std::thread thread_;
};

class Client {
 public:
  int twice(int value) { return worker_.post(value).get(); }

 private:
  Worker worker_;
};

int main() {
  Client client;
  int wrong = 0;
  for (int i = 1; i < 30; ++i) wrong |= client.twice(i) != 2 * i;
  return wrong;
}
