// A condition wait is a window of the region around it, unless the function says that it is atomic
// up to the wait and from there on: by annotation, by the spec file, or all of them by the command line.
//
// REQUIRES: pass
// RUN: %cxx -I%include %s -o %t
// RUN: not timeout 60 %isosan run --analysis atomizer --atomic 'Box::take*' -- %t > %t.out 2>&1
// RUN: FileCheck %s < %t.out
// CHECK-NOT: take_split
// CHECK: WARNING: IsoSan: {{.*}}Box::take
// CHECK: waits, which
// CHECK-NOT: take_split
// CHECK: SUMMARY: IsoSan: 1 finding
// RUN: timeout 60 %isosan run --analysis atomizer --atomic 'Box::take*' --split-at-wait -- %t 2>&1 | FileCheck --check-prefix=FINE %s
// RUN: printf '[assume]\nsplit-at-wait = ["Box::take"]\n' > %t.toml
// RUN: timeout 60 %isosan run --analysis atomizer --atomic 'Box::take*' --spec %t.toml -- %t 2>&1 | FileCheck --check-prefix=FINE %s
// FINE: SUMMARY: IsoSan: 0 findings
#include <isosan/isosan.h>

#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

class Box {
 public:
  void take() { wait_for_one(); }
  ISOSAN_SPLIT_AT_WAIT void take_split() { wait_for_one(); }
  void put() {
    std::lock_guard guard(mutex_);
    ++full_;
    filled_.notify_all();
  }
  int waiting() {
    std::lock_guard guard(mutex_);
    return waiting_;
  }

 private:
  [[gnu::always_inline]] void wait_for_one() {
    std::unique_lock lock(mutex_);
    ++waiting_;
    while (full_ == 0) filled_.wait(lock);
    --full_;
  }
  std::mutex mutex_;
  std::condition_variable filled_;
  int full_ = 0;
  int waiting_ = 0;
};

int main() {
  Box box;
  std::vector<std::thread> takers;
  for (int i = 0; i < 3; ++i) {
    takers.emplace_back([&] { box.take(); });
    takers.emplace_back([&] { box.take_split(); });
  }
  while (box.waiting() < 6) std::this_thread::yield();
  for (int i = 0; i < 6; ++i) box.put();
  for (std::thread& taker : takers) taker.join();
}
