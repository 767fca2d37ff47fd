// Figure 2(b): which worker takes which task is the scheduler's choice; each task is deterministic all
// the same, with threads of its own. The whole program is not, and a task that uses what another
// one uses is not.
//
// RUN: %cxx %s -o %t
// RUN: timeout 60 %isosan run --analysis singletrack --deterministic Task::run -- %t 2>&1 | FileCheck --check-prefix=FINE %s
// FINE: SUMMARY: IsoSan: 0 findings
// RUN: not timeout 60 %isosan run --analysis singletrack --deterministic main -- %t 2>&1 | FileCheck --check-prefix=POOL %s
// POOL: WARNING: IsoSan: conflict inside a deterministic region (region main)
// POOL-NEXT: release and acquire
// RUN: not timeout 60 %isosan run --analysis singletrack --deterministic Task::run -- %t racy 2>&1 | FileCheck %s
// CHECK: WARNING: IsoSan: conflict inside a deterministic region (region Task::run)
#include <condition_variable>
#include <deque>
#include <mutex>

#include "team.h"

struct Task {
  int from = 0;
  bool racy = false;
  long parts[2] = {};
  long sum = 0;

  OUT_OF_LINE void run() {  // two threads of its own
    in_team(2, [this](int i) {
      for (int k = from + i; k < from + 100; k += 2) parts[i] += k;
      if (racy) sum += parts[i];
    });
    if (!racy) sum = parts[0] + parts[1];
  }
};

class Queue {
 public:
  OUT_OF_LINE void put(Task* task) {
    std::lock_guard guard(mutex_);
    tasks_.push_back(task);
    filled_.notify_one();
  }
  OUT_OF_LINE Task* take() {
    std::unique_lock lock(mutex_);
    filled_.wait(lock, [this] { return !tasks_.empty(); });
    Task* task = tasks_.front();
    tasks_.pop_front();
    return task;
  }

 private:
  std::mutex mutex_;
  std::condition_variable filled_;
  std::deque<Task*> tasks_;
};

int main(int argc, char** argv) {
  Queue queue;
  std::vector<Task> tasks(6);
  in_team(3, [&](int i) {
    if (i == 0) {
      for (Task& task : tasks) {
        task.from = static_cast<int>(&task - tasks.data());
        task.racy = asked(argc, argv, "racy");
        queue.put(&task);
      }
      queue.put(nullptr);
      queue.put(nullptr);
    } else {
      while (Task* task = queue.take()) task->run();
    }
  });
  return tasks[0].sum + tasks[5].sum == 4950 + 5450 || argc > 1 ? 0 : 1;
}
